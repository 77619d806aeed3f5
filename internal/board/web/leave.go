package web

// leaveBody says what leaving means.
type leaveBody struct{ Goes, Stays []string }

func (v *visit) leave() error { return v.showLeave(nil) }

func (v *visit) showLeave(f *form) error {
	return v.show("leave", v.say("leave.title"), leaveBody{
		Goes:  []string{"leave.goes1", "leave.goes2", "leave.goes3"},
		Stays: []string{"leave.stays1", "leave.stays2", "leave.stays3"},
	}, f)
}

// leaveNow takes the visitor off the board, who has to say so twice.
func (v *visit) leaveNow() error {
	f, err := v.form("leave")
	if err != nil {
		return err
	}
	if f.Get("sure") == "" {
		f.wrong("sure", "error.check")
		return v.showLeave(f)
	}
	if err := v.site.board.DeletePerson(v.ctx(), v.who.ID); err != nil {
		return v.refused(err, f, v.showLeave)
	}
	v.setCookie("session", "", -1)
	return v.done("/", "left")
}
