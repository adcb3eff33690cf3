/** Vite makes a stylesheet of each of them. */
declare module '*.css'
