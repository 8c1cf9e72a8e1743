// What the page itself says; the game's texts come from the client.

const TEXTS = {
  en: {
    name: "What is your name?", play: "Play", again: "Play again", here: "Play here", reload: "Load the page anew",
    table: "You are going to table {table}.",
    calling: "Connecting …",
    none: "No answer yet; trying again … (Cookies have to be allowed.)",
    lost: "The line is lost. Your seat is kept; coming back …",
    restart: "The server starts anew. Coming back …",
    busy: "The server is full just now. Trying again …",
    bye: "Goodbye!",
    elsewhere: "You play in another window now.",
    unfit: "This page does not fit the server any more.",
    closed: "This server does not let you in.",
    flood: "Too much came from here at once.",
    turn: "Turn your phone: Diadem is wider than tall.",
    screen: "Screen", type: "Type here",
    keys: ["Escape", "Tab", "Help", "Space", "Letters", "Keyboard", "Erase", "Up", "Left", "Right", "Down", "Enter"],
  },
  de: {
    name: "Wie heißt du?", play: "Spielen", again: "Noch einmal spielen", here: "Hier spielen", reload: "Seite neu laden",
    table: "Du kommst an Tisch {table}.",
    calling: "Verbindung wird aufgebaut …",
    none: "Noch keine Antwort; neuer Versuch … (Cookies müssen erlaubt sein.)",
    lost: "Die Verbindung ist abgerissen. Dein Platz bleibt frei; gleich geht es weiter …",
    restart: "Der Server startet neu. Gleich geht es weiter …",
    busy: "Der Server ist gerade voll. Neuer Versuch …",
    bye: "Auf Wiedersehen!",
    elsewhere: "Du spielst jetzt in einem anderen Fenster.",
    unfit: "Diese Seite passt nicht mehr zum Server.",
    closed: "Dieser Server lässt dich nicht herein.",
    flood: "Von hier kam zu viel auf einmal.",
    turn: "Dreh dein Handy: Diadem ist breiter als hoch.",
    screen: "Bildschirm", type: "Hier tippen",
    keys: ["Escape", "Tabulator", "Hilfe", "Leertaste", "Buchstaben", "Tastatur", "Löschen", "Hoch", "Links", "Rechts", "Runter", "Eingabe"],
  },
  fr: {
    name: "Comment t’appelles-tu ?", play: "Jouer", again: "Rejouer", here: "Jouer ici", reload: "Recharger la page",
    table: "Tu vas à la table {table}.",
    calling: "Connexion …",
    none: "Pas encore de réponse ; nouvel essai … (Les cookies doivent être autorisés.)",
    lost: "La connexion est coupée. Ta place est gardée ; retour dans un instant …",
    restart: "Le serveur redémarre. Retour dans un instant …",
    busy: "Le serveur est plein pour l’instant. Nouvel essai …",
    bye: "Au revoir !",
    elsewhere: "Tu joues maintenant dans une autre fenêtre.",
    unfit: "Cette page ne va plus avec le serveur.",
    closed: "Ce serveur ne te laisse pas entrer.",
    flood: "Trop de choses sont venues d’ici à la fois.",
    turn: "Tourne ton téléphone : Diadem est plus large que haut.",
    screen: "Écran", type: "Écris ici",
    keys: ["Échap", "Tabulation", "Aide", "Espace", "Lettres", "Clavier", "Effacer", "Haut", "Gauche", "Droite", "Bas", "Entrée"],
  },
};

// The first language of these that there are texts in.
export const language = wished => wished.map(each => each.slice(0, 2).toLowerCase()).find(each => each in TEXTS) ?? "en";
export const texts = language => TEXTS[language];
