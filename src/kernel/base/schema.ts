/**
 * zod, set up for a program that validates few documents and exits: without generating code for each schema, which would cost more
 * than it saves (a first validation of the envelope took 20 ms with it and 7 ms without), and without `Function` at run time.
 */

import { z } from 'zod';

z.config({ jitless: true });

export { z };
