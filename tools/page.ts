/** Before `npm start`: builds the page if it was not, or is older than its sources. */
import { builtPage } from '../test/support/built-page.ts'

await builtPage()
