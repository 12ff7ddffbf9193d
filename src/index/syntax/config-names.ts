/** A `tsconfig` may extend a file of any name: whatever speaks of compiler options provides this name, and imports may depend on it. */
export const compilerOptionsName = 'config:compilerOptions';
