package api

import (
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

func (s *Server) submissionRoutes() {
	register(s, Route{
		ID: "submit", Method: http.MethodPost, Path: "/api/submissions", Tag: "tasks", Who: Human | Operator, HumanScope: data.ScopeSubmissionsWrite, Keyed: true, Form: true,
		Summary: "Deliver, as the person who has the task: JSON with uploads, or a form with files", Status: http.StatusCreated,
	}, s.submit)
	register(s, Route{
		ID: "list-submissions", Method: http.MethodGet, Path: "/api/tasks/{id}/submissions", Tag: "tasks", Who: Agent | Human | Operator, Scope: data.ScopeRead, HumanScope: data.ScopeProfileRead,
		Summary: "Every delivery of a task, the newest first",
	}, s.submissions)
}

// Stored is the answer to a delivery.
type Stored struct {
	Status       string `json:"status" enum:"stored"`
	TaskID       string `json:"task_id"`
	SubmissionID string `json:"submission_id"`
	TaskStatus   string `json:"task_status"`
	Late         bool   `json:"late,omitempty" doc:"it came within the grace after the deadline"`
}

func (s *Server) submit(ctx context.Context, in *with[Submission]) (*answer[Stored], error) {
	d, err := s.deliveryOf(ctx, in.Body)
	if err != nil {
		return nil, err
	}
	sub, err := once(ctx, s, func(ctx context.Context) (data.Submission, error) {
		return s.o.Board.Submit(ctx, caller(ctx).asHuman(), d)
	})
	if err != nil {
		return nil, err
	}
	return reply(Stored{Status: "stored", TaskID: sub.TaskID, SubmissionID: sub.ID, TaskStatus: string(task.ReviewPending), Late: sub.Late}), nil
}

// deliveryOf reads the delivery of a body. Whether the caller has the task is asked
// before a file is looked at.
func (s *Server) deliveryOf(ctx context.Context, b Submission) (data.Delivery, error) {
	d := data.Delivery{TaskID: b.TaskID, Type: task.Deliverable(b.Type), Text: b.Text}
	if b.TaskID == "" {
		return d, invalid(FieldError{"task_id", string(task.Required)})
	}
	if len(b.Items) > task.MaxEvidence {
		return d, invalid(FieldError{"items", string(task.TooLong)})
	}
	for _, item := range b.Items {
		if s.o.Files == nil {
			return d, task.Refuse(task.MissingFile)
		}
		file, err := s.o.Files.Owned(ctx, caller(ctx).asHuman(), item.UploadID)
		if err != nil {
			return d, err
		}
		file.Label = task.CleanLine(item.Label)
		d.Items = append(d.Items, file)
	}
	return d, nil
}

// maxFormText is the most bytes of the fields of a form that are no files.
const maxFormText = 64 << 10

// form turns a form with files into the JSON body of the same delivery: files are
// kept as they come, none of them in memory.
func (s *Server) form(req *http.Request, who Principal) (Submission, error) {
	var b Submission
	_, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" || s.o.Files == nil {
		return b, task.Refuse(task.InvalidRequest)
	}
	parts, err := req.MultipartReader()
	if err != nil {
		return b, task.Refuse(task.InvalidRequest)
	}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, task.Because(task.InvalidRequest, "The form did not arrive whole.")
		}
		if part.FileName() != "" {
			if err := s.formFile(req.Context(), &b, who, part); err != nil {
				return b, err
			}
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, maxFormText))
		if err != nil {
			return b, task.Because(task.InvalidRequest, "The form did not arrive whole.")
		}
		switch part.FormName() {
		case "task_id":
			b.TaskID = strings.TrimSpace(string(text))
		case "type":
			b.Type = strings.TrimSpace(string(text))
		case "text":
			b.Text = string(text)
		case secretFields[0], secretFields[1]: // ignored, as in every body
		default:
			u := &unknown{}
			u.add("", part.FormName(), fieldsOf(reflect.TypeOf(b), "json")[:3])
			return b, u.problem()
		}
	}
}

func (s *Server) formFile(ctx context.Context, b *Submission, who Principal, file *multipart.Part) error {
	if b.TaskID == "" {
		return task.Because(task.InvalidRequest, "The field task_id comes before the files.")
	}
	t, err := s.o.Board.Task(ctx, b.TaskID)
	if err != nil {
		return err
	}
	if relate(Principal{Kind: Human, HumanID: who.HumanID}, t) != assignee {
		return task.Refuse(task.NotAssigned) // nobody else fills the disk
	}
	if len(b.Items) == task.MaxEvidence {
		return invalid(FieldError{"items", string(task.TooLong)})
	}
	kept, err := s.o.Files.Take(ctx, who.asHuman(), t.Deliverable, file)
	if err != nil {
		return err
	}
	b.Items, b.digests = append(b.Items, SubmittedItem{UploadID: kept.Upload}), append(b.digests, kept.SHA256)
	return nil
}

// SubmissionList are the deliveries of a task.
type SubmissionList struct {
	Submissions []Delivery `json:"submissions"`
}

func (s *Server) submissions(ctx context.Context, in *TaskPath) (*answer[SubmissionList], error) {
	t, err := s.mine(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, err := s.o.Board.Submissions(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	out := SubmissionList{Submissions: []Delivery{}}
	who := caller(ctx)
	for _, d := range all {
		if relate(who, t) == assignee && d.HumanID != who.HumanID {
			continue // of somebody who had the task before
		}
		out.Submissions = append(out.Submissions, *s.delivery(who, d))
	}
	return reply(out), nil
}

// delivery is a delivery as one reader gets it, with links of his own.
func (s *Server) delivery(who Principal, d data.Submission) *Delivery {
	v := Delivery{ID: d.ID, Type: string(d.Type), Untrusted: true, CreatedAt: d.CreatedAt, Late: d.Late}
	if d.Text != "" {
		v.Text = ptr(d.Text)
	}
	for _, item := range d.Items {
		i := Item{Type: string(item.Kind), Label: item.Label, Text: item.Text, SHA256: item.SHA256, MIME: item.MIME, Bytes: item.Bytes, CapturedAt: when(item.CapturedAt), Duplicate: item.Duplicate}
		if item.Upload != "" && s.o.Files != nil {
			url, expires := s.o.Files.Link(item.Upload, who.actor())
			i.ID, i.URL, i.ExpiresAt = item.Upload, s.o.BaseURL+url, &expires
			if v.ContentURL == nil {
				v.ContentURL, v.ContentExpiresAt = ptr(i.URL), &expires
				v.SHA256, v.MIME, v.Bytes = item.SHA256, item.MIME, item.Bytes
			}
		}
		v.Items = append(v.Items, i)
	}
	return &v
}
