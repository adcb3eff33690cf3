type OfLength = (length: number) => string

/** Parts that patterns for secrets begin with, go on with, or look for in vain. */
const PARTS: readonly string[] = [
  ...['a', 'A', '1', '-', '_', '.', '/', ' ', '"', "'", '\\', '=', ':', ';', '&', '@', '\n'],
  ...['a.', 'a-', 'a1/', 'token', 'token.', 'token-', 'token=', 'token:', 'token "', "token='"],
  ...['--token ', '--token', 'password=', 'password="', 'pass', 'DB_PASS=', 'api_key', 'key'],
  ...['a@', 'a:a', '://', '://a', 'a://a:', '://a@', 'eyJ', 'eyJaaaaaa-', 'eyJaaaaaa.', 'SG.'],
  ...[
    'SG.aaaaaaaa',
    'sk-',
    'sk-aaaaaaa ',
    'ghp_',
    'xoxb-',
    '12345678:',
    'AKIA',
    'hooks.slack.com/',
  ],
  ...['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', '-----END ', 'mysql ', 'mysql -p', '-p ', '-p'],
  ...['mysql -p "', 'curl -u ', 'curl -u a ', 'htpasswd ', 'htpasswd -b ', 'htpasswd -b a '],
  ...[
    'Cookie: ',
    'Cookie: a=',
    'Cookie: a=b; ',
    '"Cookie: ',
    '"Authorization: ',
    'Bearer ',
    'Basic a',
  ],
  ...['\\"', '\\\\"', '"\\', '\\" \\"', 'token=\\"', 'token=;', 'token=&', 'token=a;a', ';a', '&a'],
  ...['https://', 'discord.com/api/webhooks/', 'login -p ', '[hidden]', '[hidden', 'aA1', 'Aa/'],
]

/** Each part again and again, and behind something that opens a search. */
export function slowTexts(): readonly (readonly [string, OfLength])[] {
  const repeated = PARTS.map(
    (part) => [JSON.stringify(part), (length: number) => repeat(part, length)] as const,
  )
  const opened = ['token="', 'mysql -p"', '://', '-----BEGIN PRIVATE KEY-----', '"Cookie: '].map(
    (opening) =>
      [
        `${opening} and words`,
        (length: number) => `${opening}${repeat('some words, ', length)}`,
      ] as const,
  )
  return [...repeated, ...opened]
}

function repeat(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length)
}
