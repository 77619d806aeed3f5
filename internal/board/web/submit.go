package web

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Bounds of what one form sends. What one file may have is the store's business.
const (
	maxFiles    = 10
	maxDelivery = 260 << 20 // bytes of the whole form: a video of 200 MB, or ten photos of 15
)

// submit delivers. The form is read as it comes: a file goes to the store while
// it arrives and is never held in memory.
func (v *visit) submit() error {
	t, err := v.assigned()
	if err != nil {
		return err
	}
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxDelivery)
	f := filled("submit", url.Values{})
	d := data.Delivery{TaskID: t.ID, Type: t.Deliverable}
	if err := v.readDelivery(f, &d); err != nil {
		return err
	}
	d.Text = f.text("text", 20000, t.Deliverable == task.Text)
	if t.Deliverable != task.Text && len(d.Items) == 0 && f.ok() {
		f.wrong("files", "error.file_missing")
	}
	if !f.ok() {
		return v.showWork(f)
	}
	if _, err := v.site.board.Submit(v.ctx(), v.actor(), d); err != nil {
		return v.refused(err, f, v.showWork)
	}
	return v.done("/me/tasks/"+url.PathEscape(t.ID), "delivered")
}

// readDelivery reads the parts of the form. A file that is refused is an error of
// its field; the rest is still read, so that the text is not lost.
func (v *visit) readDelivery(f *form, d *data.Delivery) error {
	v.allow(media.Patience)
	parts, err := v.r.MultipartReader()
	if err != nil {
		return fault.New(fault.Invalid, "invalid_request", "The form cannot be read.", "Send it again.").WithCause(err)
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a delivery: %w", broken(err))
		}
		switch part.FormName() {
		case "text":
			raw, err := io.ReadAll(io.LimitReader(part, maxForm))
			if err != nil {
				return fmt.Errorf("read the text of a delivery: %w", broken(err))
			}
			f.Values.Set("text", strings.ToValidUTF8(string(raw), "\ufffd"))
		case "upload":
			raw, err := io.ReadAll(io.LimitReader(part, 100))
			if err != nil {
				return fmt.Errorf("read the name of an upload: %w", broken(err))
			}
			if err := v.take(f, d, string(raw)); err != nil {
				return err
			}
		case "files":
			if err := v.keep(f, d, part); err != nil {
				return err
			}
		}
	}
}

// broken is an error of the connection or of the form's own size.
func broken(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return large
	}
	return fault.New(fault.Invalid, "invalid_request", "The form ended too early.", "Send it again.").WithCause(err)
}

func (v *visit) keep(f *form, d *data.Delivery, part *multipart.Part) error {
	if part.FileName() == "" || d.Type == task.Text || !f.ok() {
		return nil // an empty field sends a part without a name
	}
	if len(d.Items) == maxFiles {
		f.wrong("files", "error.file_many")
		return nil
	}
	kept, err := v.site.media.Put(v.ctx(), media.New{Owner: holder(v.actor()), Kind: media.Kind(d.Type)}, part)
	if err != nil {
		return v.refusedFile(f, err)
	}
	d.Items = append(d.Items, itemOf(kept))
	return nil
}

// take adds a file that was sent in parts before the form.
func (v *visit) take(f *form, d *data.Delivery, id string) error {
	if len(d.Items) == maxFiles {
		f.wrong("files", "error.file_many")
		return nil
	}
	kept, err := v.site.media.File(id)
	if err == nil && (kept.Owner != holder(v.actor()) || string(kept.Kind) != string(d.Type)) {
		err = task.Refuse(task.MissingFile)
	}
	if missing(err) {
		err = task.Refuse(task.MissingFile)
	}
	if err != nil {
		return v.refusedFile(f, err)
	}
	d.Items = append(d.Items, itemOf(kept))
	return nil
}

// refusedFile makes a refusal of the store an error of the field.
func (v *visit) refusedFile(f *form, err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return large
	}
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		return err
	}
	switch task.Reason(refusal.Type) {
	case task.FileTooLarge, task.InvalidFileType, "storage_full", "too_many_uploads":
		f.wrong("files", media.Explain(err, string(v.lang)))
	case task.MissingFile:
		f.wrong("files", "error.file_missing")
	default:
		return err
	}
	return nil
}
