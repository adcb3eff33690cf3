/** Before `npm start`: builds the page if it is missing or older than its sources. */
import { builtPage } from '../test/support/built-page.ts'

await builtPage()
