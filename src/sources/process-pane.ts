import type { Env } from '../agents/agent.ts'

/** What tmux sets in every process that it starts. */
export const PANE_VARIABLES = ['TMUX', 'TMUX_PANE']

/** SPEC S28. The pane that a client was started in; `TMUX` begins with its server's socket. */
export function paneIn({ TMUX, TMUX_PANE: tmuxPane }: Env) {
  const [tmux] = TMUX?.split(',') ?? []
  return tmux?.startsWith('/') && tmuxPane ? { tmux, tmuxPane } : {}
}
