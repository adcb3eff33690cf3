/** Items could not be had: told to a person as it stands, in one line. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
}
