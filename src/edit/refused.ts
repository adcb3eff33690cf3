/** What cannot be done as things are, and nothing was changed: its user can put it right. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused'
}
