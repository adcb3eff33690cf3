import { useEffect, useState } from 'react'
import { ApiError, api } from '../api.ts'
import { choicesOfBrowser, keepKey, keyOfBrowser } from '../key.ts'
import { Command } from '../parts/code.tsx'
import { cameByItself } from './arrived.ts'

/** The code in the address, removed from it and from the history before anything else. */
export function codeInAddress(): string | null {
  const [, code] = /^#code=([\w-]{1,200})$/.exec(location.hash) ?? []
  if (location.hash.startsWith('#code=')) history.replaceState(null, '', '#/')
  return code ?? null
}

/** In a tab that shows the page already, an address with a code loads nothing by itself. */
export function onCodeInAddress(listener: () => void): void {
  addEventListener('hashchange', (event) => {
    if (!location.hash.startsWith('#code=')) return
    event.stopImmediatePropagation()
    listener()
  })
}

/** The daemon refuses an invalid key before it looks at the code; the page then forgets the key. */
async function signIn(code: string): Promise<void> {
  // Without credentials Chromium ignores Clear-Site-Data; there are none.
  const more = { credentials: 'same-origin' } as const
  const exchange = () =>
    api.post<{ key: string }>('/v1/browsers/sign-in', { code }, undefined, more)
  const choices = choicesOfBrowser()
  const { key } = await exchange().catch((error: Error) => {
    if (error instanceof ApiError && error.status === 401) return exchange()
    throw error
  })
  // The answer makes the browser clear all data of this address (SPEC OC8).
  for (const [name, value] of choices) localStorage.setItem(name, value)
  keepKey(key)
}

/** SPEC PG30, SH13. An invalid code does not affect a valid key. */
async function signedInBefore(): Promise<boolean> {
  if (keyOfBrowser() === null) return false
  // A refused key is forgotten; a daemon that is gone refuses none.
  await api.get('/v1/health').catch(() => {})
  const key = keyOfBrowser()
  // Any site can make up a code: only a valid one skips the document before the page.
  if (key !== null && cameByItself) location.replace('/arrive.html')
  else if (key !== null) keepKey(key)
  return key !== null
}

/** SPEC PG2. What a browser shows that is not signed in. */
export function SignIn({ code }: { readonly code: string | null }) {
  const [trouble, setTrouble] = useState<string | null>(null)
  useEffect(() => {
    if (code === null) return
    signIn(code).catch(async (error: Error) => {
      if (!(await signedInBefore())) setTrouble(error.message)
    })
  }, [code])
  const isTrying = code !== null && trouble === null
  return (
    <main className="sign-in">
      <div className="card">
        <h1>vigil</h1>
        {isTrying ? (
          <p role="status">Signing in …</p>
        ) : (
          <>
            {trouble !== null && (
              <p className="trouble" role="alert">
                {trouble}
              </p>
            )}
            <p>
              This browser is not signed in. Run this in a terminal on the machine where your agents
              run:
            </p>
            <Command text="vigil open" />
            <p className="dim">
              It opens this page with a code that works once, within two minutes. For a phone,{' '}
              <code>vigil share</code> shows one to scan.
            </p>
          </>
        )}
      </div>
    </main>
  )
}
