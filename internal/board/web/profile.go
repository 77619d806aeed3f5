package web

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/place"
)

// profileBody is the settings of a worker.
type profileBody struct {
	Prefectures []option
	Cities      []place.Municipality // of the prefecture that is chosen
	Similar     []place.Municipality // to a city that is not there
	Weekdays    []time.Weekday
	HoursOpen   bool // something is typed into the hours
	Toggles     []option
	Payouts     []payoutView
	Balances    []balanceView
	Others      []providerLink
	Ways        []option // by which the worker can be told
	Devices     []deviceView
	PushKey     string // empty for no devices
}

// payoutView is one line of the statement.
type payoutView struct {
	At                 time.Time
	TaskID, Title, Key string
	Amount             int64
	Currency           string
}

type balanceView struct {
	Amount   int64
	Currency string
}

// toggles are the mails that a worker can switch off.
func toggles() []option {
	var list []option
	for _, name := range notify.Optional() {
		if strings.HasPrefix(name, "worker_") {
			list = append(list, option{"mail_" + name, "notify." + name})
		}
	}
	return append(list, option{"mail_digest", "notify.digest"})
}

func (v *visit) profile() error { return v.profileWith(nil) }

// profileWith shows the settings as they are, with what is wrong with another form of
// the page.
func (v *visit) profileWith(other *form) error {
	p, err := v.site.board.Person(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	f := filled("profile", typedProfile(p))
	if other != nil {
		f.Errors = other.Errors
	}
	return v.showProfile(f)
}

func (v *visit) showProfile(f *form) error {
	body := profileBody{Prefectures: v.prefectures(), Weekdays: weekdays, Toggles: toggles()}
	for _, day := range weekdays {
		body.HoursOpen = body.HoursOpen || f.Get(fmt.Sprint("from_", int(day)))+f.Get(fmt.Sprint("to_", int(day))) != ""
	}
	p, ok := place.Find(f.Get("prefecture"))
	if !ok {
		p, ok = place.OfPostcode(f.Get("postcode"))
	}
	if ok {
		body.Cities = p.Municipalities()
		if f.Errors["city"] != "" {
			body.Similar = p.Similar(f.Get("city"), 5)
		}
	}
	if err := v.loadPayouts(&body); err != nil {
		return err
	}
	var err error
	if body.Others, err = v.linkedProviders(); err != nil {
		return err
	}
	if err := v.loadDevices(&body); err != nil {
		return err
	}
	body.Ways = v.ways(body)
	return v.show("profile", v.say("profile.title"), body, f)
}

// ways are those that a worker can choose among.
func (v *visit) ways(b profileBody) []option {
	list := []option{{"", v.say("profile.by.mail")}}
	if v.site.options.LINE != "" && slices.ContainsFunc(b.Others, func(l providerLink) bool { return l.Linked && l.Issuer == v.site.options.LINE }) {
		list = append(list, option{notify.ByLINE, v.say("profile.by.line")})
	}
	if len(b.Devices) > 0 {
		list = append(list, option{notify.ByPush, v.say("profile.by.push")})
	}
	return list
}

// typedProfile is a profile as the form shows it.
func typedProfile(p data.Person) url.Values {
	values := url.Values{}
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("handle", p.Handle)
	set("bio", p.Bio)
	set("skills", strings.Join(p.Skills, "、"))
	set("languages", strings.Join(p.Languages, "、"))
	set("prefecture", p.Prefecture)
	set("city", p.City)
	home := strings.Trim(p.Prefecture+"/"+p.City, "/")
	others := slices.DeleteFunc(slices.Clone(p.Areas), func(a string) bool { return a == home })
	set("areas", strings.ReplaceAll(strings.Join(others, "\n"), "/", " "))
	set("by", notify.ParseSettings(p.Notify).By)
	set("cap", strconv.Itoa(max(p.Instant.Cap, 1)))
	if p.Instant.On {
		set("instant", "1")
	}
	if floor := p.Instant.Floors[money.JPY]; floor > 0 {
		set("floor", strconv.FormatInt(floor, 10))
	}
	if p.Instant.QuietFrom != p.Instant.QuietTo {
		set("quiet_from", clock(p.Instant.QuietFrom))
		set("quiet_to", clock(p.Instant.QuietTo))
	}
	for _, h := range p.Instant.Hours {
		set(fmt.Sprint("from_", int(h.Day)), clock(h.From))
		set(fmt.Sprint("to_", int(h.Day)), clock(h.To))
	}
	mails := notify.ParseSettings(p.Notify)
	for _, o := range toggles() {
		name := strings.TrimPrefix(o.Value, "mail_")
		if name == "digest" && mails.Digest || name != "digest" && !slices.Contains(mails.Off, name) {
			set(o.Value, "1")
		}
	}
	return values
}

// readMails takes the mails that are wanted; those of a requester stay as they are.
func (f *form) readMails(p *data.Person) {
	mails := notify.ParseSettings(p.Notify)
	mails.Off = slices.DeleteFunc(mails.Off, func(name string) bool { return strings.HasPrefix(name, "worker_") })
	for _, o := range toggles() {
		name := strings.TrimPrefix(o.Value, "mail_")
		if name == "digest" {
			mails.Digest = f.Get(o.Value) != ""
		} else if f.Get(o.Value) == "" {
			mails.Off = append(mails.Off, name)
		}
	}
	mails.By = ""
	if by := f.Get("by"); by == notify.ByLINE || by == notify.ByPush {
		mails.By = by
	}
	mails.QuietFrom, mails.QuietTo = p.Instant.QuietFrom, p.Instant.QuietTo
	p.Notify = mails.String()
}

// clock is minutes after midnight as a time of day.
func clock(minutes int) string { return fmt.Sprintf("%02d:%02d", minutes/60%24, minutes%60) }

// minutes reads a time of day in minutes after midnight; nothing typed is 0.
func (f *form) minutes(field string) int {
	text := place.Fold(f.Get(field))
	if text == "" {
		return 0
	}
	t, err := time.Parse("15:04", text)
	if err != nil {
		f.wrong(field, "error.time")
		return 0
	}
	return t.Hour()*60 + t.Minute()
}

// weekdays are the days of the week from Monday on, as calendars in Japan that are made
// for work have them.
var weekdays = []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}

// hours reads when somebody works. A day of which nothing is typed is free; both times
// or none.
func (f *form) hours() []data.Hours {
	var all []data.Hours
	for _, day := range weekdays {
		from, to := fmt.Sprint("from_", int(day)), fmt.Sprint("to_", int(day))
		if strings.TrimSpace(f.Get(from)+f.Get(to)) == "" {
			continue
		}
		h := data.Hours{Day: day, From: f.minutes(from), To: f.minutes(to)}
		if f.Get(from) == "" || f.Get(to) == "" || h.From == h.To && f.ok() {
			f.wrong(from, "error.hours")
		}
		all = append(all, h)
	}
	return all
}

func (v *visit) saveProfile() error {
	f, err := v.form("profile")
	if err != nil {
		return err
	}
	p, err := v.site.board.Person(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	p.Lang = string(v.lang)
	p.Handle, p.Bio = f.text("handle", 40, true), f.text("bio", 1000, false)
	p.Skills, p.Languages = listed(f.text("skills", 400, false)), listed(f.text("languages", 80, false))
	f.readArea(&p)
	f.readOffers(&p)
	f.readMails(&p)
	if !f.ok() {
		return v.showProfile(f)
	}
	if _, err := v.site.board.SavePerson(v.ctx(), p); err != nil {
		return v.refused(err, f, v.showProfile)
	}
	return v.done("/me", "saved")
}

func (f *form) readArea(p *data.Person) {
	chosen, ok := place.Find(f.Get("prefecture"))
	if text := strings.TrimSpace(f.Get("postcode")); text != "" {
		guess, valid := place.OfPostcode(text)
		if !valid {
			f.wrong("postcode", "error.postcode")
		} else if !ok {
			chosen, ok = guess, true
		}
	}
	if !ok {
		f.wrong("prefecture", "error.choose")
	}
	p.Prefecture, p.City, p.Areas = chosen.Ja, "", nil
	if typed := f.text("city", 80, false); ok && typed != "" {
		m, known := chosen.Municipality(typed)
		if !known {
			f.wrong("city", "error.city")
		}
		p.City = m.Name
	}
	if ok {
		p.Areas = []string{joinArea(chosen, p.City)}
	}
	for line := range strings.SplitSeq(f.text("areas", 1000, false), "\n") {
		area, ok, known := areaOf(line)
		if ok && !known {
			f.wrong("areas", "error.city")
		} else if ok {
			if !slices.Contains(p.Areas, area) {
				p.Areas = append(p.Areas, area)
			}
		} else if strings.TrimSpace(line) != "" {
			f.wrong("areas", "error.area")
		}
	}
}

// areaOf reads a line such as 東京都 渋谷区, Tokyo Shibuya or 東京都渋谷区. known is
// false when the prefecture has no such city.
func areaOf(line string) (area string, ok, known bool) {
	line = place.Fold(strings.ReplaceAll(line, "/", " "))
	first, rest, _ := strings.Cut(line, " ")
	p, ok := place.Find(first)
	for _, q := range place.Prefectures {
		if after, begins := strings.CutPrefix(line, q.Ja); begins && !ok {
			p, rest, ok = q, after, true
		}
	}
	if !ok || place.City(rest) == "" {
		return p.Ja, ok, true
	}
	m, known := p.Municipality(rest)
	return joinArea(p, m.Name), true, known
}

func joinArea(p place.Prefecture, city string) string {
	if city != "" {
		return p.Ja + "/" + city
	}
	return p.Ja
}

func (f *form) readOffers(p *data.Person) {
	p.Instant.On = f.Get("instant") != ""
	p.Instant.QuietFrom, p.Instant.QuietTo = f.minutes("quiet_from"), f.minutes("quiet_to")
	p.Instant.Hours = f.hours()
	floors := maps.Clone(p.Instant.Floors)
	if floors == nil {
		floors = data.Caps{}
	}
	delete(floors, money.JPY)
	if text := strings.TrimSpace(f.Get("floor")); text != "" {
		n, ok := yen(text)
		if !ok {
			f.wrong("floor", "error.number")
		}
		floors[money.JPY] = n
	}
	p.Instant.Floors = floors
	n, err := strconv.Atoi(place.Fold(f.Get("cap")))
	if err != nil || n < 1 || n > maxCap {
		f.wrong("cap", "error.cap")
		return
	}
	p.Instant.Cap = n
}

// maxCap is how many tasks at once a person may take on by the form.
const maxCap = 20

// listed reads words between commas of either script, each once.
func listed(text string) []string {
	var all []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",、，・\n", r) }) {
		if w = place.Fold(w); w != "" && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}

// loadPayouts lists what the board owes or paid to the worker.
func (v *visit) loadPayouts(b *profileBody) error {
	earned, err := v.site.earned(v.ctx(), v.who.ID)
	if err != nil {
		return err
	}
	sums := map[string]int64{}
	for _, e := range earned {
		row := payoutView{At: e.At, TaskID: e.TaskID, Key: "payouts.entry", Amount: e.Amount.Minor, Currency: string(e.Amount.Currency)}
		if e.TaskID != "" {
			t, err := v.site.board.Task(v.ctx(), e.TaskID)
			if err != nil {
				return err
			}
			row.Title = titleOf(t)
		}
		sums[row.Currency] += row.Amount
		b.Payouts = append(b.Payouts, row)
	}
	for _, c := range slices.Sorted(maps.Keys(sums)) {
		b.Balances = append(b.Balances, balanceView{sums[c], c})
	}
	return nil
}
