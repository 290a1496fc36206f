import { html, type Html } from '../../wording/html.ts';
import type { PageWords } from './page-words.ts';

/** The problem of a rejected form, and its input. */
export interface Problem {
  readonly field: 'name' | 'reason';
  readonly kind: 'missing' | 'tooLong';
  readonly typed: string;
}

/** Maximum length of the form's texts. */
export const decisionLimits = { name: 200, reason: 2000 };

interface DecisionForms {
  readonly token: string;
  readonly total: string;
  readonly page: PageWords;
  readonly problem: Problem | undefined;
}

/**
 * The forms to accept and to reject. Each contains the token of the link, which authorizes it: pages of other sites do not know
 * it, and no cookie replaces it.
 */
export function decisionForms({ token, total, page, problem }: DecisionForms): Html {
  const wrong = (field: Problem['field']) => (problem?.field === field ? problem : undefined);
  return html`<section class="answer" id="answer">
<h2>${page.answerHeading}</h2>
<form method="post" action="/api/quotation/offer/accept">
<input type="hidden" name="token" value="${token}">
<p>${page.acceptLead(total)}</p>
<label for="name">${page.name}</label>
<input id="name" name="name" required maxlength="${decisionLimits.name}" autocomplete="name" aria-describedby="name-hint"
  value="${wrong('name')?.typed}">
<p class="quiet" id="name-hint">${page.nameHint}</p>
${explain(wrong('name'), page)}
<button class="button">${page.accept}</button>
</form>
<details${wrong('reason') && html` open`}>
<summary>${page.decline}</summary>
<form method="post" action="/api/quotation/offer/reject">
<input type="hidden" name="token" value="${token}">
<label for="reason">${page.reason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="${decisionLimits.reason}">
${wrong('reason')?.typed}</textarea>
${explain(wrong('reason'), page)}
<button class="button plain">${page.declineNow}</button>
</form>
</details>
</section>`;
}

const explain = (problem: Problem | undefined, page: PageWords): Html | undefined =>
  problem &&
  html`<p class="error" role="alert">${problem.kind === 'missing' ? page.nameMissing : page.tooLong}</p>`;
