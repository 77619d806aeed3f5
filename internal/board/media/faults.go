package media

import (
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// messageJa is the key of a fault's data that holds the message in Japanese.
const messageJa = "message_ja"

// refuse makes a fault with its message in both languages.
func refuse(typ, detail string, en, ja [2]string) *fault.Error {
	kind := fault.Invalid
	switch typ {
	case "not_found":
		kind = fault.NotFound
	case "upload_conflict":
		kind = fault.Conflict
	case "too_many_uploads", "rate_limited":
		kind = fault.Limited
	}
	return fault.New(kind, typ, en[0], en[1]).WithData("detail", detail).WithData(messageJa, ja[0]+ja[1])
}

// Explain says in ja or en what is wrong and what to do, for the person who
// uploads.
func Explain(err error, lang string) string {
	f := fault.From(err)
	if ja, ok := f.Data[messageJa].(string); ok && lang == "ja" {
		return ja
	}
	return f.Message + " " + f.Action
}

func errHEIC() error {
	return refuse("invalid_file_type", "heic",
		[2]string{"This is a HEIC picture, which most programs cannot open.", "On an iPhone choose it from the photo library with “Most Compatible” in the options, or take it again after Settings, Camera, Formats, Most Compatible."},
		[2]string{"この写真はHEIC形式のため受け取れません。", "iPhoneの「設定」→「カメラ」→「フォーマット」で「互換性優先」を選んで撮り直すか、写真を選ぶときに「オプション」→「互換性優先」を選んでください。"})
}

func errType(detail string) error {
	return refuse("invalid_file_type", detail,
		[2]string{"This file is not of a kind that the board takes.", "Send a photo as JPEG, PNG or WebP, or a video as MP4, MOV or WebM."},
		[2]string{"このファイルの形式は受け取れません。", "写真はJPEG・PNG・WebP、動画はMP4・MOV・WebMで送ってください。"})
}

func errWrongKind(want Kind) error {
	if want == Video {
		return refuse("invalid_file_type", "wrong_kind",
			[2]string{"This is a photo, but a video is wanted.", "Send a video as MP4, MOV or WebM."},
			[2]string{"写真が選ばれていますが、ここでは動画が必要です。", "動画をMP4・MOV・WebMで送ってください。"})
	}
	return refuse("invalid_file_type", "wrong_kind",
		[2]string{"This is a video, but a photo is wanted.", "Send a photo as JPEG, PNG or WebP. Of a Live Photo send the still picture."},
		[2]string{"動画が選ばれていますが、ここでは写真が必要です。", "写真をJPEG・PNG・WebPで送ってください。Live Photosは静止画を選んでください。"})
}

func errBroken(cause error) error {
	return refuse("invalid_file_type", "broken",
		[2]string{"The file is damaged or incomplete.", "Open it on your device to see whether it is whole, and send it again."},
		[2]string{"ファイルが壊れているか、途中で切れています。", "端末で開けるか確認して、もう一度送ってください。"}).WithCause(cause)
}

func errEmpty() error {
	return refuse("missing_file", "empty",
		[2]string{"The file is empty.", "Choose the file again."},
		[2]string{"ファイルが空です。", "もう一度ファイルを選んでください。"})
}

func errTooLarge(limit int64) error {
	return refuse("file_too_large", "bytes",
		[2]string{fmt.Sprintf("The file is larger than %d MB.", limit>>20), "Send a smaller photo, or a shorter video."},
		[2]string{fmt.Sprintf("ファイルが%dMBを超えています。", limit>>20), "小さい写真か、短い動画を送ってください。"})
}

func errAnnounced() error {
	return refuse("file_too_large", "announced",
		[2]string{"More bytes came than were announced.", "Start the upload again with the right size."},
		[2]string{"予定より大きいファイルが届きました。", "もう一度始めてください。"})
}

func errTooManyPixels(limit int64) error {
	return refuse("file_too_large", "pixels",
		[2]string{fmt.Sprintf("The photo has more than %d million pixels.", limit/1_000_000), "Send it in a smaller size."},
		[2]string{fmt.Sprintf("写真の画素数が%d万を超えています。", limit/10_000), "小さいサイズで送ってください。"})
}

func errNotFound() error {
	return refuse("not_found", "upload",
		[2]string{"There is no such upload, or its time is over.", "Start the upload again."},
		[2]string{"アップロードが見つからないか、期限が切れています。", "もう一度始めてください。"})
}

func errConflict(detail, en, ja string) *fault.Error {
	return refuse("upload_conflict", detail,
		[2]string{en, "Ask for the offset of the upload and go on from there."},
		[2]string{ja, "受信済みの位置を確認して、続きから送ってください。"})
}

func errCut(cause error) error {
	return errConflict("cut", "The part did not arrive whole.", "途中で切れました。").WithCause(cause)
}

func errTooMany() error {
	return refuse("too_many_uploads", "open",
		[2]string{"You have too many unfinished uploads.", "Finish or remove one first."},
		[2]string{"途中のアップロードが多すぎます。", "どれかを完了するか、取り消してください。"})
}

func errDaily() error {
	return refuse("too_many_uploads", "daily",
		[2]string{"You have sent as much as a day allows.", "Send the rest tomorrow (UTC)."},
		[2]string{"1日に送れる量を超えました。", "明日（日本時間の午前9時以降）送ってください。"})
}

// TooOften refuses who sends more requests than they may, until after.
func TooOften(after time.Duration) error {
	return refuse("rate_limited", "calls",
		[2]string{"You send too many requests.", "Go on in a moment."},
		[2]string{"リクエストが多すぎます。", "少し待ってから続けてください。"}).WithRetryAfter(max(after, time.Second))
}

// noRoom is storage_full for an error that says so, and any other error as it is.
func noRoom(err error) error {
	if !full(err) {
		return err
	}
	return fault.New(fault.Unavailable, "storage_full", "The board has no room for files at the moment.", "Try again later: what arrived is kept for a day.").
		WithData("detail", "full").WithData(messageJa, "ただいまファイルを保存できる空き容量がありません。しばらくしてからもう一度お試しください。届いた分は1日間保存されています。").WithCause(err)
}

func errKind() error {
	return refuse("invalid_request", "kind",
		[2]string{"The kind of the upload is not known.", "Say photo or video."},
		[2]string{"アップロードの種類がわかりません。", "photo か video を指定してください。"})
}

func errLink() error {
	return fault.New(fault.Denied, "forbidden", "This link is not valid for you.", "Open the page of the errand again to get a new one.").
		WithData(messageJa, "このリンクは使えません。依頼のページをもう一度開いてください。")
}

func errLogin() error {
	return fault.New(fault.Denied, "unauthorized", "This link works only when you are logged in.", "Log in and open the page of the errand again.").
		WithData(messageJa, "ログインしてから、依頼のページをもう一度開いてください。")
}

func errExpired() error {
	return fault.New(fault.Expired, "link_expired", "The time of this link is over.", "Open the page of the errand again, or fetch the errand again, to get a new one.").
		WithData(messageJa, "リンクの有効期限が切れました。依頼のページをもう一度開いてください。")
}
