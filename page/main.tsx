/** Where the page begins: the token is taken out of the address before anything else happens. */

import './style.css';
import { render } from 'preact';
import { beginTheme } from './parts/theme.ts';
import { begin } from './session.ts';
import { Shell } from './shell.tsx';
import { followLinks } from './use.ts';

beginTheme();
begin();
followLinks();
const place = document.getElementById('page');
if (place !== null) render(<Shell />, place);
