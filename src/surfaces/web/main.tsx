import './theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const place = document.getElementById('page')
if (place)
  createRoot(place).render(
    <StrictMode>
      <main>vigil</main>
    </StrictMode>,
  )
