/** SPEC CM17. What SESSION may be, as the help of every command says it. */
export const SESSION_IS =
  'the beginning of an id, a name, a title or a folder; . is the session here'
