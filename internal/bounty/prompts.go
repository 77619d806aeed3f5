package bounty

import "github.com/legwork-mcp/legwork/internal/tool"

// Prompts are the three guides of the specification's section 8, each a whole flow that
// a person can choose.
var Prompts = []tool.Prompt{
	{
		Name: "guide_real_world_verification", Title: "Have something looked at on the spot",
		Description: "Post a task with a photo as its proof, choose a person, review the photo, pay.",
		Arguments: []tool.PromptArgument{
			{Name: "what", Description: "what has to be seen or proved", Required: true},
			{Name: "area", Description: "prefecture and city, no address", Required: true},
			{Name: "budget", Description: "most that it may cost, with the currency", Default: "1500 JPY"},
			{Name: "hours", Description: "time until it must be done, in hours", Default: "24"},
		},
		Text: `Have this verified in the real world by a person: {what}
Area: {area}. It may cost at most {budget} and must be done within {hours} hours.

` + guideBefore + `
2. Post it with create_bounty: task_label real_world_verification, deliverable photo, the area as location (no exact address in the public text),
   the time as deadline_minutes. acceptance_criteria: what must be seen on the photo, that it is sharp, and when it must be taken.
   not_allowed: entering private places, photographing people or licence plates.
` + guideChoose + `
5. Look at the photo under content_url and compare it with every criterion. Then one of: approve_bounty_completion; request_revision, which says
   what is missing; reject_bounty_completion, only if it cannot be mended, with the criterion that is missed.
6. Report what the photo shows, what it does not show, and when it was taken. Say so when it is not certain.`,
	},
	{
		Name: "guide_jp_local_research", Title: "Find something out in Japan",
		Description: "Ask somebody in Japan by phone or on the spot for what is on no web page.",
		Arguments: []tool.PromptArgument{
			{Name: "question", Description: "what has to be found out", Required: true},
			{Name: "sources", Description: "where the answer can be had", Default: "whoever can answer it officially"},
			{Name: "budget", Description: "most that it may cost, with the currency", Default: "2000 JPY"},
			{Name: "hours", Description: "time until it must be done, in hours", Default: "48"},
		},
		Text: `Find this out in Japan through a person: {question}
Sources: {sources}. It may cost at most {budget} and must be done within {hours} hours.

` + guideBefore + `
2. Split the question into points that can be answered one by one. Post it with create_bounty: task_label jp_local_research, deliverable text, and
   write the task in Japanese too if you can. acceptance_criteria: an answer to each point, who gave it in which role, when and how, and
   "could not be found out" as an answer that counts. not_allowed: pretending to be somebody else, asking for personal data, recording without consent.
   If it must be done within the hour, use call_human_fast instead; when nobody is available the task stays open, so do not post it again.
` + guideChoose + `
5. Check each point: answered, by whom, when. Ask with request_revision for a point that is missing, then approve_bounty_completion.
6. Report each point with its source and date, in the language of the question. Keep what the person said apart from what you conclude.`,
	},
	{
		Name: "guide_ai_output_qa", Title: "Have a person check what an AI made",
		Description: "Have a text, translation or answer judged by a person against criteria.",
		Arguments: []tool.PromptArgument{
			{Name: "output", Description: "what has to be judged, without private data", Required: true},
			{Name: "criteria", Description: "what makes it good", Required: true},
			{Name: "budget", Description: "most that it may cost, with the currency", Default: "1000 JPY"},
			{Name: "hours", Description: "time until it must be done, in hours", Default: "24"},
		},
		Text: `Have this judged by a person:
{output}

Criteria: {criteria}. It may cost at most {budget} and must be done within {hours} hours.

` + guideBefore + `
2. Post it with create_bounty: task_label ai_output_qa, deliverable text. The task holds the whole output and numbered criteria, and asks for each:
   met or not, the words that show it, and a better wording where it is not met. Do not say which verdict you expect.
   acceptance_criteria: a verdict with evidence for each criterion. not_allowed: asking another AI for the verdict.
` + guideChoose + `
5. Check that each criterion has a verdict with evidence from the text. A verdict that you do not like is no reason to reject. Ask with
   request_revision for what is missing, then approve_bounty_completion.
6. Report the verdicts, then what you change because of them.`,
	},
}

// What all guides begin with, and how a person is chosen and waited for.
const (
	guideBefore = `1. If no account is connected, ask me for a name and a mail address and call connect_agent_account. Ask me before you spend money; dry_run of
   create_bounty tells what it costs.`
	guideChoose = `3. wait_for_bounty until somebody applies (call it again with its resume_token; people need minutes to hours), then list_applications, and
   accept_application for the one that fits best. Answer questions with start_conversation and send_message.
4. wait_for_bounty with until submission. Nothing new is neither a refusal nor a failure: wait again. A task that failed with timeout was not
   refused by anybody either: offer me to post it again with more time or money.`
)
