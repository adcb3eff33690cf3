/** What passes between the page and the frame that shows a terminal. */

export interface Cursor {
  readonly x: number
  readonly y: number
  readonly shown: boolean
}

export interface Screen {
  readonly kind: 'screen'
  readonly width: number
  readonly height: number
  readonly above: readonly string[]
  readonly rows: readonly string[]
  readonly cursor: Cursor
}

export interface Change {
  readonly kind: 'change'
  readonly left: readonly string[]
  readonly rows: readonly (readonly [place: number, row: string])[]
  readonly cursor: Cursor
}

export interface Typing {
  readonly kind: 'typing'
  readonly session: string
  readonly on: boolean
  readonly since: number | null
  readonly by: string | null
}

/** What the daemon tells. */
export type News = Screen | Change | Typing | { readonly kind: 'over'; readonly why: string }

/** What the page tells the frame. */
export type ToFrame =
  | Screen
  | Change
  | { readonly kind: 'open'; readonly on: boolean }
  | { readonly kind: 'theme'; readonly theme: Theme }

export interface Theme {
  readonly dark: boolean
  readonly ground: string
  readonly ink: string
  readonly accent: string
  readonly font: string
}

/** What the frame tells the page. */
export type FromFrame =
  | { readonly kind: 'ready' }
  | { readonly kind: 'typed'; readonly data: string }
  | { readonly kind: 'pasted'; readonly text: string }
  | { readonly kind: 'high'; readonly px: number }
  /** It was clicked; its window is no longer in front, or is again. */
  | { readonly kind: 'pointed' | 'left' | 'back' }
