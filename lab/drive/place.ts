import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FAKE_KEY } from '../model/key.ts'

/** A home and a project of its own, in a folder that the janitor removes. */
export interface Place {
  readonly root: string
  readonly home: string
  readonly project: string
}

export function makePlace(): Place {
  const place = emptyPlace()
  mkdirSync(join(place.home, '.claude'))
  settleIn(place.home, [place.project])
  return place
}

/** Without any client's files; the project is a repository. */
export function emptyPlace(): Place {
  // Clients compare folders by their real path; on macOS the temporary folder is a link.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-lab-')))
  const place = { root, home: join(root, 'home'), project: join(root, 'project') }
  mkdirSync(place.home)
  mkdirSync(place.project)
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', place.project], {
    env: { PATH: process.env.PATH, HOME: place.home },
  })
  return place
}

/** As after the first start: the client asks nothing about theme, key or trust in these folders. */
export function settleIn(home: string, trusted: readonly string[]): void {
  const projects = trusted.map((folder) => [
    folder,
    { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] },
  ])
  const settled = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [FAKE_KEY.slice(-20)], rejected: [] },
    projects: Object.fromEntries(projects),
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(settled, null, 2))
}
