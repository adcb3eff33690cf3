/** Drawn on a grid of 16 by 16; several strokes each. */
const PATHS = {
  search: ['M7 12.5a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11z', 'M11 11l3.5 3.5'],
  bell: ['M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8z', 'M6.6 14.2h2.8'],
  'bell-off': ['M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8z', 'M6.6 14.2h2.8', 'M2 1.5l12 13'],
  light: [
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
    'M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15',
    'M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  ],
  dark: ['M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z'],
  auto: ['M1.8 2.8h12.4v8.4H1.8z', 'M8 11.2v2.6', 'M5 13.8h6'],
  help: [
    'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z',
    'M6 6.2a2 2 0 1 1 2.9 1.9c-.6.3-.9.7-.9 1.4',
    'M8 11.6v.1',
  ],
  chart: ['M2 14h12', 'M4 11.5V8', 'M8 11.5V3', 'M12 11.5V6'],
  board: ['M2.5 3.5h11', 'M2.5 8h11', 'M2.5 12.5h11'],
  back: ['M9.5 3 4.5 8l5 5'],
  copy: ['M5.5 5.5h8v8h-8z', 'M3.5 10.5h-1v-8h8v1'],
  done: ['m3.5 8.4 3 3 6-6.4'],
  read: [
    'M1.5 8C3.3 5 5.5 3.6 8 3.6S12.7 5 14.5 8c-1.8 3-4 4.4-6.5 4.4S3.3 11 1.5 8z',
    'M8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z',
  ],
  close: ['M4 4l8 8', 'M12 4l-8 8'],
} as const

export type IconName = keyof typeof PATHS

/** Never alone: its meaning is beside it, or in the name of its button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name].join('')} />
    </svg>
  )
}
