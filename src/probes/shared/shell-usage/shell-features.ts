/** What only a shell can do in a command line: expand variables and names, join commands. Quotes are respected, nothing is run. */

export type ShellFeatures = { readonly variables: boolean; readonly globs: boolean; readonly chains: boolean };

export function shellFeaturesOf(text: string): ShellFeatures {
  const features = { variables: false, globs: false, chains: false };
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '' && char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (quote !== "'" && ((char === '$' && /[A-Za-z_{(@*0-9]/.test(next)) || char === '`'))
      features.variables = true;
    else if (quote !== '') continue;
    else if (char === '*' || char === '?') features.globs = true;
    // `2>&1` joins no commands.
    else if (char === ';' || char === '|' || char === '\n') features.chains = true;
    else if (char === '&' && text.charAt(at - 1) !== '>' && next !== '>') features.chains = true;
  }
  return features;
}

/** Plain words, so that the exec form can hold the same command. */
export function isSimpleCommand(text: string): boolean {
  const { variables, globs, chains } = shellFeaturesOf(text);
  return !variables && !globs && !chains && !/[<>()]/.test(text.replace(/"[^"]*"|'[^']*'/g, ''));
}
