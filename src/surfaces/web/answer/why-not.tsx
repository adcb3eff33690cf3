import type { Answering } from './use-answering.ts'

/** What its user has to do before it can be allowed, beside the buttons it is about. */
export function WhyNot({ answering }: { readonly answering: Answering }) {
  const { why, next } = answering
  return (
    <>
      <p className="why-not" role="status">
        {why}
      </p>
      {next !== null && (
        <button type="button" className="button" onClick={next.act}>
          {next.words}
        </button>
      )}
    </>
  )
}
