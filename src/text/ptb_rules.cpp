#include "text/ptb_rules.h"

#include <iterator>

namespace pdvc {
namespace {

const std::string kLetter = "[A-Za-z]";
const std::string kLetterOrDigit = "[A-Za-z0-9]";
const std::string kSpace = "[ \t\n]";

std::string group(const std::string& pattern) { return "(" + pattern + ")"; }

// One word, or several with only a full stop or the like between them: "end.Start".
const std::string kPlainWord = kLetter + kLetterOrDigit + "*";
const std::string kWord = kPlainWord + "([.!?]" + kPlainWord + ")*";

// "t-shirt", "snake_case", "d'Artagnan-like"
const std::string kStem = "([dDoOlL]'" + kLetterOrDigit + ")?" + kLetterOrDigit + "+";
const std::string kThing = kStem + "([-_]" + kStem + ")*";

// "'s" and its like, which are tokens of their own.
const std::string kShortVerb = "'(s|m|d|re|ve|ll)";

const std::string kNumber = "([0-9]+|[0-9]*([.:,][0-9]+)+)";

// A tag on one line.
const std::string kTagName = "[A-Za-z][A-Za-z0-9:.\\-]*";
const std::string kTagValue = "(\"[^\"\n]*\"|'[^'\n]*'|[^ \t\n\"'<>=]+)";
const std::string kTag = "<([!?][A-Za-z\\-][^>\n]*|/?" + kTagName + "( +" + kTagName + "( *= *" +
                         kTagValue + ")?)* */?) *>";

// Abbreviations, without their dot. Some states are also words: theirs begin with a capital.
const std::string kMonths = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec";
const std::string kDays = "Mon|Tue|Tues|Wed|Thu|Thurs|Fri";
const std::string kStates =
    "Ala|Ariz|[A]z|[A]rk|Calif|Colo|Conn|Ct|Dak|[D]el|Fla|Ga|[I]ll|Ind|Kans?|Ky|[L]a|[M]ass|Md|"
    "Mich|Minn|[M]iss|Mo|Mont|Neb|Nev|Okla|[O]re|[P]a|Penn|Tenn|[T]ex|Va|Vt|[W]ash|Wisc?|Wyo";
const std::string kCompanies =
    "Inc|Cos?|Corp|Pp?t[ye]s?|Ltd|Plc|Bancorp|Dept|Bhd|Assn|Univ|Intl|Sys";
const std::string kAfterNames = "Jr|Sr|Bros|(Ed|Ph)\\.D|Blvd|Rd|Esq";
// These can end a sentence, the ones before a name cannot.
const std::string kMayEndSentence = group(kMonths + "|" + kDays + "|" + kStates + "|" + kCompanies +
                                          "|" + kAfterNames + "|etc|al|seq");
const std::string kBeforeNames =
    "(Mr|Mrs|Ms|Drs?|Profs?|Sens?|Reps?|Attys?|Lt|Col|Gen|Messrs|Govs?|Adm|Rev|Maj|Sgt|Cpl|Pvt|"
    "Capt|Ste?|Ave|Pres|Lieut|Hon|Brig|Co?mdr|Pfc|Spc|Supts?|Det|Mt|Ft|Adj|Adv|Asst|Assoc|Ens|Insp|"
    "Mlle|Mme|Msgr|Sfc|vs|Alex|Wm|Jos|Cie|cf)";
const std::string kBeforeNumbers = "(ca|figs?|prop|nos?|arts?|bldg|pp|op)";
const std::string kInitials = kLetter + "(\\." + kLetter + ")*";
// With a capital: in front of "a man" a letter is an initial.
const std::string kSentenceStarts =
    "([A]|[A](bout|ccording|dditionally|fter|n|s|t)|[B]ut|[E]arlier|[H](e|er|ere|owever)|"
    "[I](f|n|t)|[L]ast|[M](any|ore|r\\.|s\\.)|[N]ow|[O](nce|ne|ther|ur)|[S](he|ince|o|ome|"
    "uch)|[T](hat|he|heir|hen|here|hese|hey|his)|[W](e|hen|hile|hat)|[Y](et|ou))";
const std::string kSentenceEnd = kSpace + "(" + kSpace + "|[A-Z]|" + kTag + ")";

using Rules = std::vector<PtbRule>;

Rules plain_words() {
  return {
      {"cannot", Keep::all_but_last_three},
      {"gonna|gotta|lemme|gimme|wanna", Keep::all_but_last_two},
      {"'t(is|was)", Keep::first_two},
      {group(kWord + "|" + kThing) + kShortVerb, Keep::before_apostrophe},
      // The part before n't has its own n only in front of another letter: "do n't".
      {"[A-Za-z]*[A-MO-Za-mo-z]n['`]t", Keep::all_but_last_three},
      {"y'" + kLetter, Keep::all_but_last},
      {kWord},
  };
}

Rules words() {
  return {
      // Words that hold an apostrophe.
      {"'n'?|[ldj]'|ol'|somethin'|dunkin'|'em|'[2-9]0s|'till?|'cause|cont'd\\.?|nor'easter|c'mon|"
       "e'er|o['`]o|s'mores|ev'ry|li'l|nat'l"},
      {"[A-HJ-XZa-hj-xz]['`]" + kLetter + "{2,}"},
      {kLetter + "+[aeiouyAEIOUY]['`][aeiouA-Z]" + kLetter + "*"},
      {kShortVerb + "[^A-Za-z]", Keep::all_but_last},
      {"n['`]t"},
      {kThing},
      // "either/or", "he/she/it", with short hyphenated parts
      {kLetterOrDigit + "+(-" + kLetter + "+){0,2}(\\\\?/" + kLetterOrDigit + "+(-" + kLetter +
       "+){0,2}){1,2}"},
      {kLetterOrDigit + "[A-Za-z0-9.,]*(-(" + kLetterOrDigit + "+|" + kLetter + "(\\." + kLetter +
       ")+\\.))+"},
      {"[A-Z]+(&[A-Z]+)+"},
      {"c\\+\\+|(c|f)#"},
  };
}

Rules addresses() {
  const std::string in_path = "[^ \t\n\"<>|(){}]+[^ \t\n\"<>|.!?(){},\\-]";
  return {
      {"https?://" + in_path},
      // The range ,-_ leaves lower-case letters and few signs.
      {"(www\\.([^ \t\n\"<>|.!?(){},]+\\.)+[a-zA-Z]{2,4}|([^ \t\n\"`'|!?(){}$,-_]+\\.)+"
       "(com|net|org|edu))(/" +
       in_path + ")?"},
      {"<?[a-zA-Z0-9][^ \t\n\"<>|()]*@([^ \t\n\"<>|().]+\\.)*[^ \t\n\"<>|().]+>?"},
      {"@[a-zA-Z_][a-zA-Z_0-9]*|#" + kLetter + "+"},
      {kLetterOrDigit + "+([\\-._/]" + kLetterOrDigit +
           "+)*\\.(bat|bmp|c|class|cgi|cpp|dll|docx?|exe|gif|gz|h|html?|jar|java|jpe?g|mov|mp3|"
           "pdf|php|pl|png|ppt|ps|py|sql|tar|txt|wav|x|xml|zip)[^A-Za-z0-9]",
       Keep::all_but_last},
      {kTag},
  };
}

Rules numbers() {
  return {
      {"[0-9]{1,2}[\\-/][0-9]{1,2}[\\-/][0-9]{2,4}"},
      {"[\\-+]?" + kNumber},
      {"([0-9]{1,4}[\\- ])?[0-9]{1,4}\\\\?/[0-9]{1,4}", Keep::whole, Form::joined},
      {"'[0-9][0-9]" + kSpace, Keep::all_but_last},
      {"[A-Z]*\\$|#"},
      // phone numbers
      {"(\\([0-9]{2,3}\\) ?|(\\+\\+?)?([0-9]{2,4}[\\- ])?[0-9]{2,4}[\\- ])"
       "[0-9]{3,4}[\\- ]?[0-9]{3,5}|"
       "((\\+\\+?)?[0-9]{2,4}\\.)?[0-9]{2,4}\\.[0-9]{3,4}\\.[0-9]{3,5}",
       Keep::whole, Form::joined},
  };
}

Rules abbreviations() {
  return {
      {kMayEndSentence + "\\." + kSentenceEnd, Keep::before_space_dot_again},
      // What follows counts towards the length of the match: "Jan.a/b" begins with "Jan.", but
      // "Jan.early" is one word.
      {kMayEndSentence + "\\.[^]{2}", Keep::all_but_last_two},
      {kMayEndSentence + "\\."},
      {kBeforeNames + "\\."},
      {kBeforeNumbers + "\\." + kSpace + "?[0-9]", Keep::before_dot_end},
      // "triple A." at the end of a sentence: a word, not an initial
      {kLetter + "\\." + kSpace + "+" + kSentenceStarts + kSpace, Keep::first},
      {kInitials + "\\." + kSpace + "+" + kSentenceStarts + kSpace, Keep::before_space_dot_again},
      {kInitials + "\\."},
      {kWord + "\\.[,;:]", Keep::all_but_last},
  };
}

Rules punctuation() {
  return {
      {"[<>]?[:;=][\\-o*']?[()DPdpO\\\\{@|\\[\\]][^A-Za-z0-9]", Keep::all_but_last,
       Form::parentheses},
      {"[\\-\\^x=~<>']_[\\-\\^x=~<>']|\\([\\-\\^x=~<>'][_.]?[\\-\\^x=~<>']\\)", Keep::whole,
       Form::brackets},
      {"&(amp|lt|gt|(m|n)dash);", Keep::whole, Form::entity},
      {"(\"|[&][q][u][o][t];)[A-Za-z0-9$]", Keep::all_but_last, Form::open_quotes},
      {"\"|[&][q][u][o][t];", Keep::whole, Form::close_quotes},
      {"&(quot|apos);"},
      {"''?|``?"},
      {"'" + kLetter + "[^ \t\n]", Keep::first, Form::open_quote},
      {"\\.{3,5}|(\\. ){2,4}\\.", Keep::whole, Form::dots},
      {"-+", Keep::whole, Form::dashes},
      {"[()\\[\\]{}]", Keep::whole, Form::brackets},
      {"[!?]+|_+|@+|#+|\\*+|<<|>>"},
      {"[.,;:=/<>+%&~\\^|\\\\]"},
  };
}

Rules nothing() {
  // Last of all: any character that no rule names separates tokens.
  return {{kSpace + "+", Keep::whole, Form::none}, {"[^ ]", Keep::whole, Form::none}};
}

}  // namespace

Rules ptb_rules() {
  Rules all;
  for (auto make : {plain_words, abbreviations, words, addresses, numbers, punctuation, nothing}) {
    Rules some = make();
    all.insert(all.end(), std::make_move_iterator(some.begin()),
               std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace pdvc
