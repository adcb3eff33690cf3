import type { Answering } from './use-answering.ts'

/** What its user has to do before it can be allowed, beside the buttons it is about. */
export function WhyNot({ answering }: { readonly answering: Answering }) {
  const { why, unfold } = answering
  return (
    <>
      <p className="why-not" role="status">
        {why}
      </p>
      {unfold !== null && (
        <button type="button" className="button" onClick={unfold}>
          Show all of it
        </button>
      )}
    </>
  )
}
