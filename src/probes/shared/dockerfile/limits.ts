/** What bounds the reading of one Dockerfile, however it was made. Where a bound is met, a problem with its line says so. */

export const dockerfileLimits = {
  bytes: 1024 * 1024,
  instructions: 20_000,
  stages: 200,
  /** Of one text after substitution: `ENV A=$A$A` doubles with every line. */
  valueChars: 8_192,
  /** Of a command as the section shows it. */
  commandChars: 8_192,
  /** Of all values after substitution together with those that stages hand down to the stages built on them. */
  valuesChars: 4 * 1024 * 1024,
  problems: 200,
} as const;
