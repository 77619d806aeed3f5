package api

// onTask is a command on the task of the path.
type onTask[B any] struct {
	TaskPath
	Body B
}

// with is a body alone.
type with[B any] struct {
	Body B
}

// Page bounds a list.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"most things of one page"`
	Cursor string `query:"cursor" doc:"next_cursor of the page before"`
}

// answer is a body alone.
type answer[B any] struct {
	Body B
}

func reply[B any](b B) *answer[B] { return &answer[B]{b} }

func (s *Server) addRoutes() {
	s.accountRoutes()
	s.keyRoutes()
	s.taskRoutes()
	s.decisionRoutes()
	s.applicationRoutes()
	s.submissionRoutes()
	s.conversationRoutes()
	s.peopleRoutes()
	s.selfRoutes()
	s.myKeyRoutes()
	s.recordRoutes()
	s.eventRoutes()
	s.streamRoutes()
	s.operatorRoutes()
	s.reviewRoutes()
	s.olderRoutes()
}
