/** Light, dark, or as the system has it. The choice is all that is kept in this browser. */

export type Theme = 'system' | 'light' | 'dark';
const order: readonly Theme[] = ['system', 'light', 'dark'];
const place = 'codegenie-theme';

export function themeNow(): Theme {
  const kept = localStorage.getItem(place);
  return order.find((theme) => theme === kept) ?? 'system';
}

export function nextTheme(): Theme {
  const next = order[(order.indexOf(themeNow()) + 1) % order.length] as Theme;
  localStorage.setItem(place, next);
  beginTheme();
  return next;
}

export function beginTheme(): void {
  document.documentElement.dataset['theme'] = themeNow();
}
