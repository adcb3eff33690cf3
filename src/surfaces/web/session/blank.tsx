/** What comes here is on its way: its place is kept, and its shape, so that nothing jumps. */
export function Blank({ asks }: { readonly asks: boolean }) {
  return (
    <section className={`card blank-card ${asks ? 'blank-request' : ''}`} aria-busy="true">
      <span className="blank-line short" />
      {asks && <span className="blank-line" />}
      <span className="blank-line block" />
      {asks && (
        <span className="blank-acts">
          <span className="blank-line act" />
          <span className="blank-line act" />
        </span>
      )}
    </section>
  )
}
