/** With its day if that is not today. */
export function dayAndTime(at: number, now: number): string {
  const [day, today] = [new Date(at), new Date(now)]
  const time = day.toTimeString().slice(0, 8)
  if (day.toDateString() === today.toDateString()) return time
  return `${day.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`
}
