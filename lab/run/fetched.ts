import { clientOf, installClient } from '../clients.ts'
import { missingTmux } from '../drive/missing.ts'

/** Fetches a client that is missing. Returns what is still missing then, in words. */
export async function fetched(
  client: string,
  tell: (text: string) => void,
  kind?: Parameters<typeof clientOf>[1],
): Promise<string | undefined> {
  const missing = missingTmux()
  if (missing || clientOf(client, kind)) return missing
  tell(`client ${client}: installing …\n`)
  return installClient(client, kind).then(
    () => undefined,
    (error: Error) => error.message,
  )
}
