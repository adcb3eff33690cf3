import './theme.css'
import './base.css'
import './parts.css'
import './frame.css'
import './tools.css'
import './board.css'
import './session.css'
import './facts.css'
import './prose.css'
import './answer.css'
import './subject.css'
import './code.css'
import { createRoot } from 'react-dom/client'
import { App } from './frame/app.tsx'
import { tidyPath } from './frame/arrived.ts'
import { codeInAddress, onCodeInAddress } from './frame/sign-in.tsx'
import { showTheme } from './frame/theme.ts'

showTheme()
tidyPath()
const code = codeInAddress()
onCodeInAddress(() => location.reload())
const place = document.getElementById('page')
if (place) createRoot(place).render(<App code={code} />)
