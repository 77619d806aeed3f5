package practice

import "net/http"

// ssaServer serves the quick calculator: one page without any script.
type ssaServer struct {
	flow *flow
	rec  *recorder
}

func (s *Site) ssaRoutes() {
	c := &ssaServer{flow: ssaFlow(), rec: s.rec}
	s.mux.HandleFunc("GET /oact/quickcalc", redirectTo("/oact/quickcalc/"))
	s.mux.HandleFunc("GET /oact/quickcalc/{$}", c.show)
	s.mux.HandleFunc("GET /cgi-bin/benefit6.cgi", redirectTo("/oact/quickcalc/"))
	s.mux.HandleFunc("POST /cgi-bin/benefit6.cgi", c.submit)
}

func ssaPage(name string, data map[string]any) document {
	data["Topics"] = ssaTopics
	return document{
		Title: "Social Security Quick Calculator (practice)", Styles: []string{"ssa.css"},
		Header: fragment("ssa-header", nil), Body: fragment(name, data),
	}
}

func (c *ssaServer) show(w http.ResponseWriter, _ *http.Request) {
	ssaPage("ssa-form", map[string]any{"Typed": map[string]string{}}).write(w)
}

// submit answers on the spot, as the program behind such a page does: status
// 200 with the form and its errors, or with the estimate.
func (c *ssaServer) submit(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the request is not a form", http.StatusBadRequest)
		return
	}
	reading := c.flow.Steps[0].collect(nil, r.PostForm)
	if len(reading.complaints) > 0 {
		if len(reading.extra) > 0 {
			c.rec.defect(ssaSite, reading.extra)
		}
		typed := map[string]string{}
		for name := range r.PostForm {
			typed[name] = r.PostForm.Get(name)
		}
		ssaPage("ssa-form", map[string]any{"Typed": typed, "Complaints": reading.complaints}).write(w)
		return
	}
	out := c.flow.Answer(reading.answers)
	out.Reference = c.rec.add(ssaSite, c.flow.data(reading.answers), []string{"cgi-bin/benefit6.cgi"}, out.Values)
	ssaPage("ssa-results", map[string]any{"Out": out}).write(w)
}

// ssaTopics is the navigation that stands before the content of each page:
// more than two thousand characters of it.
var ssaTopics = []string{
	"Actuarial publications and notes", "Adult disability starter kit", "Agency financial report", "Annual earnings test exempt amounts",
	"Appeal a decision about benefits", "Average wage index and its history", "Benefit formula bend points", "Benefits for children with disabilities",
	"Benefits for divorced spouses", "Benefits for noncitizens in the United States", "Benefits planner for families", "Benefits planner for survivors",
	"Blindness and how benefits can help", "Business services and wage reports", "Change an address or telephone number", "Choose a representative payee",
	"Compassionate allowances conditions", "Contribution and benefit base", "Cost-of-living adjustments by year", "Data and statistics by congressional district",
	"Death reports and what survivors must do", "Delayed retirement credits", "Direct deposit of benefit payments", "Disability evaluation criteria",
	"Early or late retirement and its effect", "Earnings limits for people who work", "Electronic records express", "Employer identity and wage verification",
	"Estimate of benefits for a spouse", "Extra help with prescription drug costs", "Farm and household workers", "Federal employees and pensions",
	"Fraud prevention and how to report it", "Freedom of information requests", "Full retirement age by year of birth", "Garnishment and levy of benefits",
	"Government pension offset calculator", "Hearings and appeals processing times", "International agreements between systems", "Life expectancy tables by year of birth",
	"Lump-sum payment after a death", "Marriage, divorce and name changes", "Maximum taxable earnings by year", "Medicare enrollment and premiums",
	"Military service and special credits", "National average wage indexing series", "Offices near a postal code", "Online services for representatives",
	"Overpayments and how to repay them", "Payments outside of the United States", "Plans for achieving self-support", "Popular baby names by state and decade",
	"Primary insurance amount explained", "Proof of age and other documents", "Publications in other languages", "Railroad workers and their credits",
	"Reconsideration of a medical decision", "Replacement of a lost card", "Retirement earnings test calculator", "Schedule of benefit payments",
	"Self-employment and reporting income", "Statement of earnings and how to read it", "Substantial gainful activity amounts", "Supplemental security income for adults",
	"Survivors benefits for parents", "Taxation of benefits and withholding", "Ticket to work program", "Trust fund reports and projections",
	"Verification of benefit letters", "Wage indexing of earlier earnings", "Windfall elimination and its repeal", "Work incentives for people with disabilities",
}
