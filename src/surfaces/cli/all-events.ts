/** Of `vigil install` and `vigil run` alike. */
export const ALL_EVENTS = 'hooks for every event that the client knows, not only those vigil needs'
