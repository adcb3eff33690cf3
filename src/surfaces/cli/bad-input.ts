/** What its user can put right: said in one line, exit code 2. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
}
