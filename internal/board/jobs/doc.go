// Package jobs does what time brings on a board: timers of tasks and offers,
// payouts, webhooks, mails, the repair of jobs that were lost, and what is swept or
// compared now and then. Open makes the queue and everything that leaves jobs in
// it; Run works them.
//
// It never decides about a task: the commands of internal/board/data do, and refuse
// a job that is late or doubled. It never logs an address, a code or an amount.
package jobs
