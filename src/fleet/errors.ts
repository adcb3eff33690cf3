/** Something cannot be done in the fleet. The message is one sentence that says what to do. */
export class FleetError extends Error {
  override readonly name = 'FleetError'
}
