// One thread needs no crew.

const crewOf = () => undefined;
