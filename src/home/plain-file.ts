import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { parseJson } from '../core/json.ts'

/** Undefined where the file cannot be read. */
export function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Undefined where the file cannot be read or is not JSON. */
export function jsonInFile(path: string): unknown {
  return parseJson(fileText(path) ?? '')
}

/** Empty where the folder cannot be read. */
export function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The path with all links resolved; the path itself where it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
