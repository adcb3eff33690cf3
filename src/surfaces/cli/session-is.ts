/** SPEC CM17. The explanation of SESSION in the help of every command. */
export const SESSION_IS =
  'the beginning of an id, a name, a title or a folder; . is the session in this folder'
