/** Room for 30,000 rows of 8 KB. */
export const BUCKET_BYTES_MAX = 256 * 1024 * 1024
