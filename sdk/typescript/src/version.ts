/** The version of this package, as requests name it in `User-Agent`. */
export const VERSION = "0.1.0";
