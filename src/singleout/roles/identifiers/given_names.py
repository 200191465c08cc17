"""Given names that are common somewhere: enough to tell a column of people from one of things."""

from __future__ import annotations

from singleout.roles.identifiers.word_list import word_list

GIVEN_NAMES = word_list(
    """
    aaron abdul abdullah adam adrian ahmed aisha akira alan albert alejandro alessandro alessia alex
    alexander alexandra alexis ali alice alicia amanda amina amit amy ana anastasia andre andrea
    andreas andrew andrzej angela anita anja ann anna anne annie anthony antoine antonio arjun
    arthur ashley astrid barbara beatriz benjamin bernard bernd betty birgit bjorn bob boris brandon
    brenda brian bruno camille carl carla carlos carmen carol caroline catherine cecilia charles
    charlotte chen chiara chloe chris christian christina christine christopher claire clara claudia
    claus clement cristina cynthia daisuke daniel daniela daniele david deborah debra denis dennis
    diana diego dieter dimitri dmitri donald donna dorothy douglas edward elena elisa elizabeth ella
    emily emma eric erik erika eva evelyn fabio fatima federica federico felix fernando florian
    frances francesca francesco francisco francois frank franz fred frederic friedrich gabriel
    gabriela gary george gerald gerard gerhard giovanni giulia giuseppe gloria grace greg gregory
    guillaume gustav guy hana hannah hans harold harry hassan heather heike heinz helen helena helga
    henri henrik henry herbert hiroshi horst hugo ibrahim igor ines ingrid irene isabel isabella
    ivan ivana jack jacob jacqueline jakob james jan jane janet janice jason javier jean jeff
    jeffrey jennifer jens jeremy jerry jessica jesus jim joan joao joe johan johanna johannes john
    jonas jonathan jorge jose josef joseph joshua joyce juan judith judy julia julian julie julien
    jurgen justin karen karin karl kate katharina katherine kathleen katja keith keiko kelly kenji
    kenneth kevin khalid kim klaus kristina krzysztof kyle larissa larry lars laura lauren laurent
    leila lena leon leonardo lian lin linda lisa louis louise luca lucas lucia lucie luigi luis
    lukas magdalena manuel manuela marc marcel marco marcus margaret margarita maria marie marina
    mario marion mark markus marta martha martin martina mary masako mathieu matteo matthew matthias
    maurice maxime megan mehmet melissa michael michaela michel michele michelle miguel mikael mike
    mohamed mohammad mohammed monica monika muhammad mustafa nancy natalia natalie natasha nathalie
    nathan nicholas nicolas nicole nikolai nina noah nora norbert olaf oleg olga oliver olivia
    olivier oscar pablo pamela paola paolo patricia patrick paul paula pavel pedro peter petra
    philip philipp philippe pierre piotr priya rachel rafael rahul ralf ralph ramon raul raymond
    rebecca regina renate rene ricardo richard robert roberto roger roland ronald rosa ruth ryan
    sabine sakura sam samantha samuel sandra sara sarah satoshi scott sean sebastian sergei sergio
    sharon shirley silvia simon simone sofia sonia sophia sophie stefan stefania stefano stephanie
    stephen steve steven stephane susan susanne suzuki svetlana takashi tanaka tatiana teresa
    thandiwe theo theresa thi thomas tim timothy tobias tom tomasz toni tyler ulrich ulrike ursula
    uwe valentina valerie vanessa vera veronica victor victoria vincent viktor virginie vladimir
    walter wei wendy werner will william willem wolfgang xavier yan yasmin yoko yolanda yuki yusuf
    yves yvonne zainab zoe
    """
)
