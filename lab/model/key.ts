/** Not a real key: only the stand-in accepts it, and it accepts no other. */
export const FAKE_KEY = 'sk-ant-api03-fake-loopback-key'
