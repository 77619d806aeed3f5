package policy

// englishGroups are word families of English, where one wish has more wordings than
// in Japanese: who asks seldom says "verification code", and says "the PIN that comes".
var englishGroups = map[string]string{
	"en-arrives": `sms|a text|text comes|texted|phone|mobile|handset|your number|arrives|comes in|comes through|comes|pops up|shows up|automated call|automatic call|voice call|bank app|lands|buzzes|rings|inbox|authenticator|is sent to you|get sent|you get|you receive|calls you|reads out`,
	"en-code":    `pin|digits|six numbers|four numbers|the numbers it|code|passkey|security code*|access code*|login pin|the code|a code|codes|that code|those numbers|sign in`,
	"en-tell":    `send|message it|message us|type it|type the|copy|tell|paste*|drop it|reply|write it|let us have|pass|forward*|give|read|dictate*|report it|share|screenshot*|into the chat|in the chat|to our operator|back to us`,
	"en-sms-service": `receive an sms|receive one sms|receive a text|receive texts|receive sms|receive a verification*|get an sms for us|accept a verification*|take a verification call|verification call*|verification text*|activation sms|activation call*|` +
		`confirm by sms|sms for our account|text verification|phone verification|verify by phone|verify a number|sms verification`,
	"en-approve": `approve*|tap yes|tap allow|press allow|press yes|accept the prompt|confirm the login|confirm the sign in|confirm our login|say yes to the`,
	"en-prompt":  `login request*|sign in request*|login attempt*|prompt|notification*|push|bank app|want to sign in|want to log in|login on your|sign in on your|new device`,

	"en-many":    `two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|several|multiple|many|a dozen|dozens|bulk|batch|as many|3|4|5|6|8|10|12|15|20|25|30|40|50|100|200|500|throwaway|burner*`,
	"en-account": `account*|profiles|mailbox*|mail boxes|gmail*|gmails|outlook*|hotmail*|discord*|handles|logins|e mail addresses|email addresses|seller page*|wallets|apple id*|twitter accounts|user names|memberships|trials`,
	"en-make":    `create*|creating|register*|registering|open|opening|make|making|set up|setting up|sign up|signing up|generate*|produce*|start`,
	"en-yours": `your account*|your profile*|your facebook|your instagram|your linkedin|your ebay|your amazon|your seller|your airbnb|your uber|your doordash|your upwork|your fiverr|your steam|your paypal|your wise|your twitter|your x account|your tiktok|your reddit|your gmail|` +
		`your google|your whatsapp|your telegram|your login|your driver account|your courier account|your old account|your verified|your old*|your unused|an old account|aged account*|verified account*|warmed up account*`,
	"en-lend": `let us|let our|let me|allow us|allow our|lend*|lending|rent*|renting|hire out|hire|grant*|hand us|hand over|share|sell*|selling|borrow*|buy*|buying|post through|log into|log in to|access to|take over|control of|password|remote access|anydesk|teamviewer|stay logged in`,

	"en-as-other": `say that i|say i am|say i was|say i worked|say he worked|say she worked|confirm that i|confirm that he worked|confirm that she worked|vouch for|speak as|answer as|sign as|sign for me as|talk as|as the tenant|as the owner|as the applicant|as the account holder|as my manager|as my landlord|as my employer|as my wife|as my husband|as our director|` +
		`pass as|passing as|go as me|show up as|appear as|join as me|act as my|play my|be me|be my reference|fill in for|stand in for|sit in for|take the place of|double for|under our name|using his name|using her name|using my name|with my name|my badge`,
	"en-setting": `background check*|background call|reference call|employer|landlord|bank|insurer|insurance|embassy|consulate|tax office|exam*|test|quiz|assessment*|interview*|video call|zoom|hearing|court|notary|meeting|lecture|class|course|driving|clinic|hospital|screening|verification|reference`,
	"en-nominee": `nominee*|straw buyer*|strawman|straw man|front man|figurehead*|director on paper|owner on paper|tenant on paper|in name only|your name on the lease|your name on the contract|register the company in your name|company in your name|car in your name|phone contract in your name|sim in your name|sims in your name|sim cards in your name|loan in your name|account in your name|` +
		`guarantor for|co sign*|cosign*|sham marriage|fake marriage|marry*`,
	"en-face":     `your face|your own face|your selfie|a selfie of you|your id card|your own id|your own passport|your passport|your documents|blink|turn your head|hold your id`,
	"en-check":    `wallet|exchange|face check|face scan|liveness*|verification|verify*|kyc|onboarding|casino|betting account|crypto account|app opens an account|bank app`,
	"en-homework": `take my|take the|do the|complete the|help me with the|sit my|sit the|write my|do my|complete my|finish my|pass my`,
	"en-graded":   `exam*|final|midterm|quiz*|assessment*|certification|certificate test|online course|thesis|dissertation|essay for my|coding test|aptitude test|theory test|licence test|license test|language test|citizenship test|drug test`,

	"en-distorted":  `distorted|wavy|squiggly|warped|skewed|twisted|blurry letters|crooked letters|scrambled letters|picture challenge*|challenge image*|image challenge*|visual challenge*|puzzle piece*|slide the piece|fire hydrant*|bicycles|motorcycles|traffic light*|crosswalk*|staircases|chimneys|human check*|human test*|robot question*|verification puzzle*|verification picture*|security picture*|security image*|checkbox that`,
	"en-for-script": `our bot*|our agent*|our software|our script*|our crawler*|our tool|our system|our browser|the bot|the script|the agent|automation*|log in|login|sign up page|sign up form|checkout|so that it|get through|let it through|continues|stuck|per hour|per thousand|per image|each one|as they come|solve*|answer them|type what`,

	"en-dodge": `dodge*|how to watch|how to read|how to open|different addresses|other addresses|different names|order eight|slip past|hack*|workaround*|work around|fool*|trick*|vpn|loophole*|outsmart*|sidestep*|skip the|unblock*|unlock*|crack*|strip*|remove the|get us past|get past|get around|gets around|getting around|bypass*|avoid the|beat the|past the|fake a|false birth*`,
	"en-rule": `account per|per household|household rule*|purchase limit*|ticket limit*|order limit*|quota*|blocklist*|blacklist*|paid article*|not available in|geo restricted|members only|subscriber only|subscribers only|drm|watermark*|trial limit*|free trial|region block*|region check|country block*|country check|age gate*|age limit*|age check*|age rule|one per|per person|per customer|content block*|school filter*|office filter*|blocked site*|` +
		`ban|bans|restriction*|verification step*|spam filter*|fraud check*|detection|login wall|registration wall|robots`,

	"en-vehicle": `plate|plates|blue car|red car|black car|white car|silver car|his car|her car|their car|the car of|whose car|toyota|bmw|mercedes|honda|nissan|van with|licence plates|motorbike with`,
	"en-parked":  `parked|this house|his house|her house|this home|driveway|at night|overnight|comes home|leaves|each morning|every morning|where it goes|who drives`,
	"en-routine": `which lights are on|when the lights|when the light|lights go out|light goes out|daily routine|comings and goings|his movements|her movements|their movements|his routine|her routine|their routine|when he leaves|when she leaves|when they leave|what time he|what time she|lives alone|at home alone|home alone|is home alone|when he is out|when she is out|when they are out|when they are away|who visits her|who visits him|who sleeps|who goes in and out|` +
		`stakeout|stake out|shadow him|shadow her|tail the|tailing|on his tail|on her tail|behind his back|behind her back|without his knowledge|without her knowledge|without their knowledge|honey trap|test his loyalty|test her loyalty|loyalty test|catch him cheating|catch her cheating|cheating on me|is cheating|being unfaithful`,
	"en-neighbours": `neighbours|neighbors|the doorman|the concierge|the postman|the caretaker|the receptionist|her school|his school|her friends|his friends|his colleagues|her colleagues|chat up`,
	"en-about-them": `when mrs|when mr|when ms|whether mrs|whether mr|whether he|whether she|when he|when she|about him|about her|about mr|about mrs|about the family|about the tenant*|is at home|at home in|lives with|living with|new partner|his habits|her habits|still lives`,
	"en-lurk":       `wait outside|sit outside|sit in a car|sit in the cafe opposite|stand outside|hang around|park outside|park opposite|from across|from the cafe opposite|opposite the|through the window|through his window|through her window|into the window*|over the hedge|from the stairwell|hidden camera*|body cam*|long lens|zoom lens`,
	"en-private":    `his house|her house|their house|his home|her home|their home|his flat|her flat|her apartment|his apartment|their apartment|bedroom*|curtains|letterbox|name on the bell|names on the bell|doorbell name*|front door of the family|the family's|mr|mrs|ms|miss|couple|my ex|the tenant|the witness|the plaintiff|the judge|the journalist|his office|her office|employee|who goes in|who comes out|her|him`,
	"en-trace":      `find out where|find out who|find where|find|locate*|trace*|track*|identify*|figure out|dig up|work out who|unmask*|reveal*|look for|search for|get hold of|get me the|get us the`,
	"en-target": `home address of|private address of|private number of|real name behind|real identity|person behind this|behind this account|owner of this profile|woman in this photo|woman in the photo|man in this photo|man in the photo|person in this photo|person in the photo|girl in this|guy in this|girl from this|this woman|this man|this girl|this guy|my ex|ex wife|ex husband|ex girlfriend|ex boyfriend|my birth mother|` +
		`my debtor|debtor*|someone who owes|somebody who owes|owes me|ran away|moved away from me|blocked me|left me|where he moved|where she moved|where she now|where he now|where they now|new address|her new|his new`,

	"en-reward":  `refund*|reimburse*|pay you back|gift card*|free product*|free meal|voucher*|discount|cash back|cashback|rebate*|keep the product|for free|need not try|never tried|without trying|we cover the|bonus`,
	"en-rating":  `review*|rating*|feedback|stars|testimonial*|recommendation*|five stars`,
	"en-leave":   `leave*|write a|write us a|write five|write three|write ten|write an|post a|post the|give us|give it|publish*|drop a|put up|submit a|add a`,
	"en-mine":    `my salon|my shop|my store|my book|my app|my channel|my song|my restaurant|my listing|my product*|my clinic|our salon|our startup|our tool|our song|our video*|our brand|our book|our listing*|our podcast|our channel|our course|our gym|our bar|our band|our store page|our airbnb|our plumber|our company page|our google page|our trustpilot|our yelp|this seller|this product|this restaurant|the competitor|our rival*|a rival`,
	"en-nice":    `nice|kind|good|great|top|best|glowing|enthusiastic|believable|realistic|honest looking|natural sounding|heartfelt|raving|praise*|positive|bad|terrible|angry|negative|one star|low|poor|warning`,
	"en-counter": `playlist|plays|streams|views|listens|installs|downloads|upvotes|sign ups|signups|votes|vote|comments|hearts|reactions|subscribers|fans|members|wishlists|page visits|clicks|likes|follows|retweets|shares`,
	"en-inflate": `let our|on mute|all night|every device|all your devices|get our|get my|push|raise*|boost*|bring us|bring our|pump*|with your friends|friends' phones|from your phone*|different phone*|different device*|other device*|every day|on loop|on repeat|repeat*|as many times|several times|every hour|each account|all your account*|from all|family's account*|fake|to the top|up the chart*|trending|ads on|our ads|win the|contest|poll`,
	"en-posing":  `look excited|think it is popular|look popular|seem popular|look busy|fake crowd|as a customer|as a happy|as a guest|as a patient|as a fan|as a local|as if you|like a real|like a regular|like an ordinary|seem organic|looks organic|look organic|look natural|looks natural|look spontaneous|look independent|not mention us|not mention that|hide that|pretend*|posing as|sock*|different personas|several personas|fictional`,
	"en-speak":   `queue|line up|cheer*|applaud*|join the|stand in line|fill the seats|comment*|post*|recommend*|mention*|praise*|write|answer*|start a thread|thread*|discussion*|talk up|forum*|subreddit*|group*|complain*|say`,

	"en-cash":      `envelope of cash|envelope with cash|envelope full|cash envelope|bundle of cash|the cash|cash from|banknotes|bag of money|money from|the money|cash at|cash in a|cash to|cash for`,
	"en-handoff":   `hand it to|give it to|pass it to|deliver it to|drop it|leave it in|leave it at|courier|a man|a woman|somebody will|someone will|stranger*|our driver|a driver|who shows|who will say|password|taxi|locker|meet|our contact|our partner|keep your|keep a part|crypto*|bitcoin*|deposit*|convert*`,
	"en-to-you":    `to your address|to your home|to your house|to your place|to your door|to your flat|to your apartment|to you|at your address|at your place|at your door|at your flat|at your apartment|at your office|at your shop|at your home|at your house|using your address|use your address|your address as|your address for|your mailbox|your postal address|your parcel locker|your post box|in your garage|in your cupboard|in your wardrobe|your home as`,
	"en-goods":     `parcel*|package*|packages|shipment*|shipping*|ship|goods|sneakers|phones|laptop*|orders|deliveries|delivery|boxes|box|electronics|consoles|stock|letters|mail for|mail addressed|suitcase*|bag|bags|envelope*`,
	"en-onward":    `forward*|mail them|mail it|mail each|send them|send it on|send them on|ship them|ship it|ships them|repack*|relabel*|re label*|new label*|our label*|customers|onward*|pass them|pass it|hold*|keep them|keep it|store them|store it|overseas|another country|abroad|reship*|hand them|hand it|swap the label*|until our|until someone|until somebody|until a|until we|collect them|comes for it|comes for them|picks it up|picks them up|will pick`,
	"en-hold":      `hold*|keep|store*|accept*|sign for|receive*|take in|pick up|collect*|carry*|bring|move|transport*|drive|check in|take`,
	"en-blind":     `no questions|do not open|don't open|never open|without opening|not look inside|do not look|sealed|unmarked|what is inside|what's inside|stays closed|a stranger|different name|another name|false name|someone else's name|name on the label is|discreet*|not be asked|nobody must know|don't tell|do not tell|late at night|instructions by phone|told by phone|paid in cash`,
	"en-your-bank": `your account|your bank|your paypal|your wise|your revolut|your cash app|your venmo|your card|your wallet|your binance|your iban|your zelle`,
	"en-funds":     `transfer*|deposit*|payment*|funds|money|salary|invoice*|wages|donation*|proceeds|sum|euros|dollars|yen|pounds|check|cheque|crypto*|usdt`,
	"en-move":      `then|forward*|send|keep|commission|percent|cut|a share|withdraw*|convert*|pass|onward*|remit*|wire*|western union|moneygram|to our partner*|to our supplier*|bitcoin*`,

	"en-drugs": `molly|ketamine|acid tabs|coke|thc|cbd|vape cartridge*|edible*|gummies|shrooms|mushrooms that|tramadol|ozempic|wegovy|semaglutide|insulin pen*|botox|fillers|pepper spray|taser*|brass knuckles|switchblade*|butterfly knife|bullets|ammo|gunpowder|rhino horn|turtle shell|elephant*|fake rolex|replica watch*|replica bag*|knock off*|bootleg*|hormone*|testosterone|diet pill*|slimming pill*|abortion pill*|morning after pill*|` +
		`party pill*|poppers|nitrous|laughing gas|steroids|modafinil|melatonin|leftover medicine|leftover pill*|leftover tablets|prescription*|unlicensed|untaxed|duty free cigarettes|moonshine|fireworks|live turtle*|protected|endangered`,
	"en-obtain": `buy*|get|get me|get us|source|find a dealer|dealer*|bring*|pick up|collect*|deliver*|sell*|post|mail*|ship*|order|carry*|smuggle*|hand over|without a doctor|somebody who sells|someone who sells|score|stock up`,

	"en-young":   `teen*|teenager*|youngsters|schoolboy*|school boys|school girls|schoolgirl*|pupils|12 year old*|13 year old*|14 year old*|15 year old*|16 year old*|17 year old*|under 18|under eighteen|young girl*|young boy*|little girl*|little boy*|toddler*|your daughter|your son|your kid*|students of the junior*|junior high*|middle school*|primary school*|elementary school*`,
	"en-lure":    `chat service|hostess*|escort*|late night|evenings|snapchat*|instagram names|instagram handle*|their handles|their numbers|phone number*|contact*|meet*|alone|invite*|recruit*|befriend*|talk to|chat with|photos of|pictures of|photo of|picture of|film*|video of|videos of|take pictures|take photos|ask them|give them|get them|hand out|questionnaire*|survey*|lingerie|swimsuit*|bikini|model*|dare|sweets|drive them|pick them up|bring them`,
	"en-intrude": `go behind|squeeze*|duck under|step over|hop over|hop the|jump over|service stairs|fire escape|lock is broken|is not locked|does not lock|walk along the|onto the roof|on the tracks|climb*|crawl*|push open|force open|force the|slip through|slip past|slip into|get onto the|get up to the roof|follow a resident|follow somebody in|follow someone in|behind a resident|with a resident|tailgate*|tailgating|walk past security|talk your way|past the guard|past security|prop open|through the gap|through a hole|let yourself in|ignore the sign*|even though it is closed|although it is closed|despite the sign*|enter the empty|explore the abandoned|enter the abandoned|wander into`,
	"en-closed":  `barrier*|fence*|gate|tape|rope|rail*|tracks|turnstile*|construction site|building site|closed|locked|roof|rooftop|tunnel|bridge|private|garden|yard|basement|stairwell|corridor*|hallway*|staff|backstage|warehouse|factory|plant|abandoned|empty house|empty school|empty building|hospital|shrine|plot|site|depot|office*|lobby|floor|residents`,

	"en-channel":     `whatsapp|telegram|signal|wechat|discord|viber|skype|line app|e mail me|email me|my e mail|my email|my gmail|my personal|my private|call me at|text me at|text me on|call me on|my instagram|my facebook|zoom link`,
	"en-off":         `instead|directly|off this|outside|there|rather than here|not here|arrange*|agree*|discuss*|pay*|price|details|before you apply|do not apply|don't apply|faster|contact|add me|continue|move to|follow up|reach|write`,
	"en-outside-pay": `settle it in cash|settle this in cash|no fee|do not use this site|apply by sending|apply by mail|write to the address below|cash in hand|pay cash|pay you cash|pay you in cash|settle in cash|paid in cash|without the fee|save the fee|save us the fee|save the commission|avoid fees|avoid the commission|keep the fee|around the platform|behind the platform|past the platform|not through the site|not through this site|not through the board|not through the platform|outside the site|outside of here|private deal|privately between us|do not tell the board|bank transfer to you|wire you the|paypal you|revolut you|send it to your paypal|half now`,

	"en-papers":  `your id|residence card*|bank pin|your voice|your full name|id document*|identity document*|passport|national id|id card|driving licence|driver's licence|driver's license|drivers license|birth date|date of birth|birthday|birth certificate|full name and|full legal name|home address|bank details|bank login|account number|iban|cvv|card details|credit card|debit card|pay slip*|payslip*|tax return*|tax number|tax id|utility bill|signature|fingerprint*|health insurance|insurance card|social security|ssn|relatives|emergency contact*|voice sample*|face from|nude*|naked|underwear|body measurements|bra size|feet`,
	"en-hand-in": `record*|sign the|write your|scan*|photo of|photos of|picture of|pictures of|copy of|copies of|upload*|front and back|both sides|send*|provide*|tell us|tell me|fill in|submit*|attach*|give us|e mail us|share your|need your|include your|state your|enter your|we need`,
}

var englishRules = []rule{
	{OTPRelay, 75, "en-arrives en-code en-tell", 45},
	{OTPRelay, 65, "en-sms-service", 0},
	{OTPRelay, 75, "en-prompt en-approve", 50},
	{AccountAccess, 75, "en-many en-account en-make", 45},
	{AccountAccess, 75, "en-lend en-yours", 45},
	{IdentityProxy, 75, "en-setting en-as-other", 70},
	{IdentityProxy, 70, "en-nominee", 0},
	{IdentityProxy, 75, "en-check en-face", 60},
	{IdentityProxy, 70, "en-graded en-homework", 30},
	{CaptchaSolving, 75, "en-distorted en-for-script", 80},
	{AccessBypass, 75, "en-rule en-dodge", 40},
	{Covert, 75, "en-vehicle en-parked", 50},
	{Covert, 75, "en-routine", 0},
	{Covert, 75, "en-neighbours en-about-them", 60},
	{Covert, 75, "en-private en-lurk", 50},
	{Covert, 70, "en-target en-trace", 40},
	{FakeEngagement, 75, "en-reward en-rating en-leave", 80},
	{FakeEngagement, 70, "en-mine en-nice en-rating", 50},
	{FakeEngagement, 70, "en-counter en-inflate", 40},
	{FakeEngagement, 75, "en-posing en-speak", 60},
	{ParcelCash, 75, "en-cash en-handoff", 60},
	{ParcelCash, 75, "en-goods en-to-you en-onward", 80},
	{ParcelCash, 75, "en-goods en-hold en-blind", 70},
	{ParcelCash, 75, "en-your-bank en-funds en-move", 50},
	{Regulated, 75, "en-drugs en-obtain", 45},
	{Minors, 70, "en-young en-lure", 45},
	{Trespass, 75, "en-closed en-intrude", 45},
	{OffPlatform, 65, "en-channel en-off", 45},
	{OffPlatform, 70, "en-outside-pay", 0},
	{WorkerPII, 65, "en-papers en-hand-in", 40},
}
