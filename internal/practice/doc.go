// Package practice holds local replicas of public web forms, served by an
// honest server: it validates like a real agency's server, computes a real
// answer and records exactly what was submitted, so that a claimed success can
// be compared with what the server received.
//
// The forms, their wording and their formulas are for practice. No answer is
// official, no page belongs to an agency, and no request leaves the machine.
// The package never trusts the browser: what is only hidden on the page is
// refused by the server, and recorded as a defect of whoever submitted it.
//
// Start from [New]. A form is a flow: one table of steps and questions that
// draws the pages, judges what is posted and decides what is recorded.
//
// # Records
//
// [Submission].Data has the property names of the form's contract. Typed and
// chosen answers are strings, exactly as typed (a number too); each checkbox of
// a group that the page showed is true or false; rows are a list of objects.
// Questions of a branch that was not taken are absent. A prefilled value that
// nobody changed was submitted, so it is there.
//
// # The year
//
// All sites live in 2026, so that the same data always get the same answer.
//
// # Student aid estimator
//
// A student is independent when born before 2003, married or separated, a
// graduate student, with dependents, or in one of the listed circumstances.
//
//   - Net income is 82 % of income, rounded down to dollars.
//   - A contribution of available income takes 22 % of the first 20,000, then
//     25, 29, 34 and 40 % of 5,000 each, and 47 % of the rest. Below nothing it
//     is 22 %, and never below -1,500.
//   - Parents who filed: the contribution of the net income of both adults, less
//     8,236 and 4,800 per person, plus 12 % of assets and child support. Parents
//     who did not file: the same of their earnings without the 18 %, or -1,500
//     if the family gets any of the benefits.
//   - A dependent student who filed adds half of the net income above 11,000 and
//     20 % of assets.
//   - An independent student who did not file has -1,500. Otherwise available
//     income is the net income, with the spouse's unless filed jointly, less
//     18,000 and 4,800 per person: with dependents its contribution after adding
//     7 % of assets, without them half of it plus 20 % of assets.
//   - The Student Aid Index is the sum, at least -1,500. The Pell Grant of an
//     undergraduate is 7,395 less the index, rounded down to 5, and nothing
//     below 740. Work-study is 2,500 for an index below 10,000. The loan limit
//     depends on the college level and on dependency.
//
// # Loan simulator: borrow more
//
// The planned loans (one to three) must add up to the amount needed. A loan
// that is not subsidized gathers simple interest for the program's remaining
// years (less than one year counts as one). Each is repaid in 120 level
// payments, rounded to cents. Up to 10 % of the starting salary is affordable,
// up to 20 % stretched. The grant depends on a dependent student's family
// income: 6,895, 4,310 or 1,750 in the three lowest ranges.
//
// # Loan simulator: repayment
//
// Income is the tax return's, or the job's less 5 % for retirement savings, 3 %
// for health insurance and 2 % for a health savings account, plus 4 % for other
// income. The family is the borrower, the dependents, and the spouse unless
// they filed separately. Plans: standard (120 payments per loan); extended (300
// payments, above 30,000); income-based (10 % of income above one and a half
// times 15,650 and 5,500 per further person, at most the standard payment, 240
// months, the rest forgiven); public service (the same until 120 payments, with
// a qualifying employer); a chosen payment; a chosen end. Unpaid interest does
// not itself gather interest. Private loans are always paid by their standard
// plan. The goal picks the fastest without forgiveness, the lowest payment, the
// lowest total or the chosen plan; among equals the one named first here.
//
// # Social Security quick calculator
//
// Average monthly earnings are the yearly earnings, at most 184,500, times the
// years worked since the age of 22 (at most 35, and 35 for who still works)
// over 35 and 12. The base is 90 % of the first 1,286, 32 % up to 7,749 and
// 15 % above, rounded down to dimes. Full retirement age is 66 for those born
// up to 1954, two months more per year of birth, and 67 from 1960. Per month
// before it the benefit falls by 5/9 %, beyond 36 months by 5/12 %; per month
// after it it grows by 2/3 %. Inflated dollars grow by 2.4 % a year until the
// benefit starts. The family maximum is 175 % of the base.
package practice
