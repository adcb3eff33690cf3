/** An edit that is impossible at present; nothing was changed, and the user can fix it. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused'
}
