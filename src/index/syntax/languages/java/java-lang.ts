/** Types of `java.lang` that signatures mention: they need no import and come from no file of a repository. */

export const javaLang: ReadonlySet<string> = new Set(
  `Appendable AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassLoader Cloneable Comparable Deprecated
   Double Enum Error Exception Float FunctionalInterface IllegalArgumentException IllegalStateException Integer
   InterruptedException Iterable Long Math NullPointerException Number Object Override Record Runnable RuntimeException SafeVarargs
   Short String StringBuffer StringBuilder SuppressWarnings System Thread Throwable UnsupportedOperationException Void`.split(
    /\s+/,
  ),
);
