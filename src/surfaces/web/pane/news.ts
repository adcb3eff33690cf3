import type { ScreenChange, ScreenSnapshot } from '../../../protocol/pane.ts'

/** Messages between the page and the frame that shows a terminal. */

/** From the page to the frame. */
export type ToFrame =
  | ScreenSnapshot
  | ScreenChange
  | { readonly kind: 'open'; readonly on: boolean }
  | { readonly kind: 'theme'; readonly theme: TerminalTheme }

export interface TerminalTheme {
  readonly dark: boolean
  readonly ground: string
  readonly ink: string
  readonly accent: string
  readonly font: string
}

/** From the frame to the page. */
export type FromFrame =
  | { readonly kind: 'ready' }
  | { readonly kind: 'typed'; readonly data: string }
  | { readonly kind: 'pasted'; readonly text: string }
  | { readonly kind: 'high'; readonly px: number }
  /** It was clicked; its window is no longer in front, or is again. */
  | { readonly kind: 'pointed' | 'left' | 'back' }
