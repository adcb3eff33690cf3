/** No key at all: the stand-in takes nothing else, and nobody else takes this. */
export const FAKE_KEY = 'sk-ant-api03-fake-loopback-key'
