import type { ReactNode } from 'react'

interface TableProps {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** From this column on cells are numbers. */
  readonly numbersFrom?: number
}

export function DataTable({ caption, heads, rows, numbersFrom = 1 }: TableProps) {
  const kind = (at: number) => (at >= numbersFrom ? 'number' : '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone keys scroll it
    <section className="scrolls" aria-label={caption} tabIndex={0}>
      <table className="figures-table">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" className={kind(at)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={heads[at] ?? at} className={kind(at)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The table with the same content as a chart. */
export function Twin(props: TableProps) {
  return (
    <details className="as-table">
      <summary>As a table</summary>
      <DataTable {...props} />
    </details>
  )
}
