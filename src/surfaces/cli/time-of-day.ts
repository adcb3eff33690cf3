/** `12:30` by its user's clock. */
export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 5)
}
