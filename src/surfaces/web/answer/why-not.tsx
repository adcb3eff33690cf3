import type { Answering } from './use-answering.ts'

/** What the user has to do before the request can be allowed, beside its buttons. */
export function WhyNot({ answering }: { readonly answering: Answering }) {
  const { why, unfold } = answering
  return (
    <>
      <p className="why-not" role="status">
        {why}
      </p>
      {unfold !== null && (
        <button type="button" className="button" onClick={unfold}>
          Show it in full
        </button>
      )}
    </>
  )
}
