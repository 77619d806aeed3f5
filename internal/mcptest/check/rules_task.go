package check

// taskRules are about calls that a server makes tasks of.
var taskRules = []named{
	{"task-unasked", rule{Error, "A call becomes a task for a client that has no tasks", spec(modern, "Extensions, Tasks, Capability Negotiation"), "Make tasks only for requests whose capabilities have the extension; answer the others with the result, or with error -32021."}},
	{"task-missing", rule{Error, "A tool that says it can be a task is not made one", spec(newest, "Tasks, Tool-Level Negotiation"), "Answer a call with the member task by a result with the member task, or leave taskSupport out."}},
	{"task-shape", rule{Error, "A task lacks what each must have", spec(newest, "Tasks, Data Types"), "Send taskId, status, createdAt and lastUpdatedAt as ISO 8601, and ttl as a number or null (ttlMs in 2026-07-28)."}},
	{"task-get", rule{Error, "The server does not say where its task stands", spec(newest, "Tasks, Getting Tasks"), "Answer tasks/get with the state of the task that was asked for, as long as its ttl runs."}},
	{"task-lifecycle", rule{Error, "A task goes from one status to another that cannot follow", spec(newest, "Tasks, Task Status Lifecycle"), "Begin with working; completed, failed and cancelled are final."}},
	{"task-result", rule{Error, "What a task came to is not there", spec(newest, "Tasks, Result Retrieval"), "Answer tasks/result with the result of the call; in 2026-07-28 put it into the member result of the completed task, an error into error."}},
	{"task-unrelated", rule{Warning, "The result of a task does not name it", spec(newest, "Tasks, Associating Task-Related Messages"), "Put io.modelcontextprotocol/related-task with the taskId into _meta of the answer to tasks/result."}},
	{"task-cancel", rule{Error, "A task cannot be cancelled, or goes on", spec(newest, "Tasks, Task Cancellation"), "Stop the work, and make the task cancelled before tasks/cancel is answered; in 2026-07-28 acknowledge it at least."}},
	{"task-uncancelled", rule{Info, "A cancelled task goes on", spec(modern, "Extensions, Tasks, Task Cancellation"), "Stop the work where that can be: its client does not want it any more."}},
	{"task-cancel-late", rule{Warning, "A task that is over can be cancelled", spec(newest, "Tasks, Task Cancellation"), "Answer error -32602: what is over stays as it is."}},
	{"task-list", rule{Error, "The list of tasks lacks one that was just made", spec(newest, "Tasks, Listing Tasks"), "Answer tasks/list with all tasks of the requestor, or do not announce it."}},
	{"task-list-contradicts", rule{Error, "The list of tasks says something else than tasks/get", spec(newest, "Tasks, Listing Tasks"), "Take both from the same place: a task that is listed can be asked for, and is where the list says."}},
	{"task-list-foreign", rule{Warning, "Anybody finds the tasks of others in the list", spec(newest, "Tasks, Task Isolation and Access Control"), "List the tasks of the requestor only; do not announce tasks.list where requestors cannot be told apart."}},
	{"task-list-gone", rule{Warning, "The server lists tasks in an era that has no such list", spec(modern, "Extensions, Tasks"), "Answer error -32601: without sessions nobody can say whose tasks these are."}},
	{"task-unknown", rule{Warning, "A task that does not exist is not refused with -32602", spec(newest, "Tasks, Error Handling"), "Answer error -32602 for a taskId that is unknown."}},
	{"task-required", rule{Error, "A tool that is a task always is called without one", spec(newest, "Tasks, Tool-Level Negotiation"), "Answer error -32601 to a call without the member task, or say that taskSupport is optional."}},
	{"task-forbidden", rule{Warning, "A tool is made a task that does not say it can be one", spec(newest, "Tasks, Tool-Level Negotiation"), "Answer error -32601, or declare execution.taskSupport."}},
}
